/** A document of OpenAPI 3.0 is imported in the built app, and its tools send what it says to the server that the user grants. */

import { invoke, type ApiResult } from './support/app.ts';
import { begin, button, python } from './support/opening.ts';
import { press } from './support/press-until.ts';
import { allowing, answer, nothingAsked, question } from './support/questions.ts';
import { expect, test } from './support/test.ts';
import { startWeb, type Web } from './support/web.ts';

let web: Web;
test.beforeAll(async () => {
  web = await startWeb();
});
test.afterAll(() => web.close());

/** What the server answers: the request that arrived. */
interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const paths = {
  '/orders': {
    get: {
      operationId: 'listOrders',
      summary: 'Find orders',
      parameters: [
        { name: 'state', in: 'query', schema: { type: 'string', nullable: true } },
        {
          name: 'tags',
          in: 'query',
          explode: false,
          schema: { type: 'array', items: { type: 'string' } },
        },
        {
          name: 'filter',
          in: 'query',
          style: 'deepObject',
          schema: { type: 'object', properties: { min: { type: 'integer' } } },
        },
        { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
      ],
    },
    post: {
      operationId: 'addOrder',
      summary: 'Add an order',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
      },
    },
  },
  '/orders/{id}': {
    parameters: [id],
    get: { operationId: 'getOrder', summary: 'One order' },
    delete: { operationId: 'deleteOrder', summary: 'Delete an order' },
    put: {
      operationId: 'payOrder',
      summary: 'Pay an order',
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['amount'],
              properties: {
                amount: { type: 'number', minimum: 0, exclusiveMinimum: true },
                note: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
};
const components = {
  schemas: {
    Order: {
      type: 'object',
      required: ['item'],
      properties: {
        item: { type: 'string' },
        count: { type: 'integer', nullable: true },
        parts: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
      },
    },
  },
};

test('a document is pasted, its operations become tools, and one grant lets them reach its server', async ({
  page,
  trouble,
}) => {
  trouble.expect(/foreign request: \S+ http:\/\/[a-z0-9]+\.glass\.example/);
  const origin = web.origin('shop');
  const info = { title: 'Shop', version: '1' };
  const servers = [{ url: `${origin}/v1` }];
  const document = JSON.stringify({ openapi: '3.0.3', info, servers, paths, components });
  await page.goto('./');
  await begin(page, 'Import OpenAPI or MCP tools');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Document', exact: true }).fill(document);
  await button(page, 'Read document').click();
  await expect(dialog).toContainText('OpenAPI 3.0.3, 5 operations');
  await expect(dialog).toContainText(`The tools send requests to ${origin}.`);
  await button(page, 'Write 5 tools').click();
  await button(page, 'Create folder').click();
  await expect(page).toHaveURL(/#\/files\/shop_api\.py$/);

  await page.goto('./#/tools/shop_api:get_order');
  await page
    .getByRole('spinbutton', { name: 'id' })
    .or(page.getByRole('textbox', { name: 'id' }))
    .fill('7');
  await press(button(page, 'Run'));
  await expect(question(page)).toContainText(origin, python);
  await expect(question(page)).toContainText('shop_api:get_order');
  expect(web.log).toEqual([]);
  await answer(page, /visit/i);
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('/v1/orders/7');

  const sent = async (tool: string, args: Record<string, unknown>): Promise<Echo> => {
    const call: Promise<ApiResult> = invoke(page, `shop_api:${tool}`, args);
    const { resultType, textResultForLlm } = await allowing(page, call);
    expect(resultType, textResultForLlm).toBe('success');
    return JSON.parse(textResultForLlm) as Echo;
  };
  const found = await sent('list_orders', {
    state: 'open & new',
    tags: ['a', 'b'],
    filter: { min: 2 },
    X_Trace: 'abc',
  });
  expect(found).toMatchObject({ method: 'GET', headers: { 'x-trace': 'abc' } });
  const { pathname, searchParams } = new URL(found.url, origin);
  expect([pathname, ...searchParams]).toEqual([
    '/v1/orders',
    ['state', 'open & new'],
    ['tags', 'a,b'],
    ['filter[min]', '2'],
  ]);
  const order = { item: 'tea', count: null, parts: [{ item: 'leaf' }] };
  const added = await sent('add_order', order);
  expect([added.method, added.url, JSON.parse(added.body)]).toEqual(['POST', '/v1/orders', order]);
  expect(added.headers['content-type']).toBe('application/json');
  expect(await sent('pay_order', { id: 7, amount: 2.5, note: 'ä' })).toMatchObject({
    method: 'PUT',
    url: '/v1/orders/7',
    body: 'amount=2.5&note=%C3%A4',
  });
  expect(await sent('delete_order', { id: 7 })).toMatchObject({ method: 'DELETE' });
  await nothingAsked(page);
  const refused = await invoke(page, 'shop_api:pay_order', { id: 7, amount: 0 });
  expect(refused.resultType).not.toBe('success');
});
