const server = require("../../server");

// What your server answers, as data.
const ask = (path, data) => new Promise((success, fail) => my.request({
  url: server + path, method: "POST", data, success: (answer) => success(answer.data), fail,
}));

Page({
  data: { greeting: "Not signed in", payment: "Nothing bought" },

  signIn() {
    my.getAuthCode({
      scopes: ["auth_base", "USER_NAME"],
      // Your server turns the code into a token: the program never sees one.
      success: ({ authCode }) => ask("/sign-in", { authCode }).then(
        ({ name }) => this.setData({ greeting: `Signed in as ${name}` }),
        () => this.setData({ greeting: "Your server did not answer" })),
      fail: ({ errorMessage }) => this.setData({ greeting: `Not signed in: ${errorMessage}` }),
    });
  },

  // Your server makes the order and signs it; the super app's cashier has it paid. What that says is a hint: your server knows.
  async buy() {
    try {
      const { number, orderStr } = await ask("/orders", {});
      const { resultCode } = await my.tradePay({ orderStr });
      if (resultCode === "6001") return this.setData({ payment: "You left the payment" });
      const { state } = await ask(`/orders/${number}`, {});
      this.setData({ payment: state === "paid" ? `Paid, order ${number}` : `Not known yet: ask again for order ${number}` });
    } catch ({ errorMessage }) {
      this.setData({ payment: `Not bought: ${errorMessage}` });
    }
  },
});
