const { author, ask, settle } = require('../../server');

// What a call failed with, for people.
const reason = (error) => error.errorMessage || error.message || `error ${error.error}`;

Page({
  data: {
    table: 'none',
    user: 'nobody',
    scopes: '',
    order: 'none',
    status: 'Welcome.'
  },

  onLoad(query) {
    if (query.table) my.setStorageSync({ key: 'table', data: query.table });
    const order = my.getStorageSync({ key: 'order' }).data;
    if (order) this.setData({ order });
  },

  say(status) {
    this.setData({ status });
  },

  // Signing in: the super app asks the person and gives a code, and our server turns it into what we may know.

  onSignIn() {
    return this.signIn(['USER_NAME', 'USER_AVATAR']);
  },

  // The id alone needs nobody's consent.
  onBasic() {
    return this.signIn(['auth_base']);
  },

  // One of these is not open to us. The others are given all the same.
  onPartial() {
    return this.signIn(['USER_NAME', 'USER_CONTACTINFO', 'USER_BIRTHDAY']);
  },

  async signIn(scopes) {
    try {
      const { authCode, authErrorScopes } = await my.getAuthCode({ scopes });
      const { session, name, scopes: given } = await ask('sessions', { authCode });
      getApp().session = session;
      const refused = Object.keys(authErrorScopes || {});
      this.setData({ user: name || 'somebody', scopes: given.join(', ') });
      this.say(refused.length ? `Signed in, without ${refused.join(', ')}.` : 'Signed in.');
    } catch (error) {
      this.say(`Not signed in: ${reason(error)}`);
    }
  },

  // Paying: our server makes the order, the super app lets the person pay, and our server says whether it was paid.

  onBuy() {
    return this.buy('orderStr');
  },

  onBuyByPage() {
    return this.buy('paymentUrl');
  },

  // Our server has the trade made for the buyer whom it knows; who has not signed in is refused by it.
  onBuyByNumber() {
    return this.buy('tradeNO');
  },

  async buy(form) {
    try {
      const { number, ...order } = await ask('orders', { session: getApp().session, offer: 'longjing', form });
      my.setStorageSync({ key: 'order', data: number });
      this.setData({ order: number, status: `${order.subject}, ${order.price.value} ${order.price.currency}` });
      const { resultCode } = await my.tradePay({ [form]: order[form] });
      await this.ended(number, resultCode);
    } catch (error) {
      this.say(`The order could not be made: ${reason(error)}`);
    }
  },

  // Codes are texts. Only these three are an end without payment; whatever else is said, the server is asked.
  async ended(number, resultCode) {
    if (resultCode === '6001') return this.say('Not paid: you left the payment.');
    if (resultCode === '6002') return this.say('Not paid: there is no network.');
    if (resultCode === '4000') return this.say('The payment failed. No money has moved.');
    this.say('Asking whether it was paid …');
    return this.show(await settle(number));
  },

  show(state) {
    const texts = { paid: 'Paid. Your tea is on its way.', refunded: 'Paid, and given back.', closed: 'The order was closed.' };
    this.say(texts[state] || 'Not known yet. Ask again later.');
  },

  async onAskAgain() {
    const { order } = this.data;
    if (order === 'none') return this.say('There is no order.');
    this.say('Asking …');
    return this.show(await settle(order));
  },

  // What else the super app does for a mini program.

  onScanQR() {
    return this.scan('qr');
  },

  onScanBar() {
    return this.scan('bar');
  },

  async scan(type) {
    try {
      const { code } = await my.scan({ type });
      this.say(`Scanned: ${code}`);
    } catch (error) {
      this.say(error.error === 10 ? 'You left the scanner.' : `Nothing was scanned: ${reason(error)}`);
    }
  },

  // The button says which scene.
  async onScene(event) {
    const sceneCode = event.target.dataset.scene;
    const url = { WEB_PAGE: `${author}/author/postcards/index.html`, SCHEME: 'billfoldwallet://mp/2026112300000002' }[sceneCode];
    try {
      await my.navigateToBizScene({ sceneCode, param: url ? { url } : {} });
      this.say(`Back from ${sceneCode}.`);
    } catch (error) {
      this.say(`${sceneCode}: ${reason(error)}`);
    }
  },

  async onOpenURL() {
    try {
      await my.openURL({ url: `${author}/author/postcards/index.html` });
      this.say('The page was opened.');
    } catch (error) {
      this.say(`The page was not opened: ${reason(error)}`);
    }
  },

  onToast() {
    my.showToast({ content: 'Tea is ready', type: 'success' });
  },

  async onConfirm() {
    const { confirm } = await my.confirm({
      title: 'Tea Counter', content: 'Shall we call the waiter?', confirmButtonText: 'Call', cancelButtonText: 'Not now'
    });
    this.say(confirm ? 'The waiter is coming.' : 'Nobody was called.');
  },

  onTable() {
    my.navigateTo({ url: '/pages/table/table' });
  },

  // Also after the page of tables, and after every sheet of the super app: nothing is asked of anybody here.
  onShow() {
    this.setData({ table: my.getStorageSync({ key: 'table' }).data || 'none' });
  }
});
