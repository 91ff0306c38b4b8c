'use strict';

const appId = '2026112300000002';
const log = document.getElementById('log');

const say = (text) => {
  const line = document.createElement('li');
  line.textContent = text;
  log.append(line);
};

// Asks our own server, from which this page comes.
const ask = async (path, body) => {
  const answer = await fetch(`/author/v1/${path}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body)
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error.reason);
  return said;
};

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let session;

const signIn = async () => {
  const { authCode } = await my.getAuthCode({ scopes: ['USER_NAME'] });
  const user = await ask('sessions', { authCode, appId });
  session = user.session;
  return `Signed in: ${user.name || 'somebody'}`;
};

// The super app’s word is a hint: whether it was paid, our server knows. What nobody knows yet is never called failed.
const buy = async (form) => {
  const order = await ask('orders', { session, offer: 'celadon-cup', form });
  const { resultCode } = await my.tradePay({ [form]: order[form] });
  const ends = {
    6001: 'Not paid: you left the payment.', 6002: 'Not paid: there is no network.', 4000: 'The payment failed. No money has moved.'
  };
  if (ends[resultCode]) return ends[resultCode];
  for (const wait of [0, 500, 1000, 2000, 4000]) {
    await pause(wait);
    const { state } = await ask(`orders/${order.number}/state`, {}).catch(() => ({ state: 'unpaid' }));
    if (state !== 'unpaid') return `Order ${order.number}: ${state}`;
  }
  return `Order ${order.number}: not known yet`;
};

const actions = {
  signIn,
  buy: () => buy('orderStr'),
  buyByPage: () => buy('paymentUrl'),
  scan: async () => `Scanned: ${(await my.scan({ type: 'qr' })).code}`,
  topUp: async () => {
    await my.navigateToBizScene({ sceneCode: 'TOP_UP', param: {} });
    return 'Back from the top-up page';
  },
  greet: async () => {
    await my.alert({ title: 'Postcards', content: 'Greetings from a web page' });
    return 'The greeting was read';
  }
};

for (const button of document.querySelectorAll('[data-action]')) {
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    try {
      say(await actions[button.dataset.action]());
    } catch (error) {
      say(`Failed: ${error.errorMessage || error.message || error.error}`);
    } finally {
      button.removeAttribute('aria-busy');
    }
  });
}
