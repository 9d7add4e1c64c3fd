/** What the build uses of Eleventy, which has no types of its own. */
declare module '@11ty/eleventy' {
  interface Token {
    readonly info: string;
    readonly tag: string;
    readonly content: string;
  }

  type Rule = (tokens: readonly Token[], at: number, ...rest: unknown[]) => string;

  /** The renderer of markdown-it. */
  export interface Markdown {
    readonly renderer: { readonly rules: { fence?: Rule; heading_open?: Rule } };
  }

  export interface UserConfig {
    readonly ignores: Set<string>;
    setIncludesDirectory(folder: string): void;
    setTemplateFormats(formats: readonly string[]): void;
    setUseGitIgnore(enabled: boolean): void;
    addPlugin(plugin: unknown, options?: object): void;
    amendLibrary(name: 'md', change: (library: Markdown) => void): void;
    addGlobalData(name: string, value: unknown): void;
    addFilter(name: string, filter: (html: string) => unknown): void;
    addPreprocessor(
      name: string,
      formats: string,
      change: (data: PageData, text: string) => string | false,
    ): void;
    addTransform(name: string, change: (content: string) => string): void;
  }

  export interface PageData {
    readonly page: { readonly fileSlug: string };
  }

  export interface Page {
    readonly url: string;
    readonly content: string;
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath?: undefined; config: (config: UserConfig) => void },
    );
    toJSON(): Promise<readonly Page[]>;
  }
}

declare module '@11ty/eleventy-plugin-syntaxhighlight' {
  const plugin: unknown;
  export default plugin;
}
