Page({
  data: { greeting: "Not signed in" },
  signIn() {
    my.getAuthCode({
      scopes: ["auth_base", "USER_NAME"],
      // Your server turns the code into a token: the program never sees one. Name its address here, and its name among `serverDomains`.
      success: ({ authCode }) => my.request({
        url: "https://api.example.com/sign-in", method: "POST", data: { authCode },
        success: ({ data }) => this.setData({ greeting: `Signed in as ${data.name}` }),
        fail: () => this.setData({ greeting: "Your server did not answer" }),
      }),
      fail: ({ errorMessage }) => this.setData({ greeting: `Not signed in: ${errorMessage}` }),
    });
  },
});
