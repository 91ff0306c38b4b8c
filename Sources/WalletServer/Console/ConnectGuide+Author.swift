package import BillfoldDiagnosis
package import BillfoldWeb

extension ConnectGuide {
    /// An author's own mini program and its server in the super app.
    ///
    /// - Parameters:
    ///   - wallet: The origin of this server.
    ///   - phone: The page of the played phone with the super app.
    ///   - key: With which authors of the sandbox register themselves.
    package static func author(wallet: String, phone: String, key: Secret<String>) -> Self {
        Self(
            slug: "author",
            title: .init("An author of mini programs", "小程序开发者"),
            summary: .init(
                "You upload a program, and your server exchanges codes for tokens and is paid. Super app, wallet and its users are played.",
                "由你上传小程序，你的服务器换取令牌并收款；超级应用、钱包和用户由沙箱扮演。"),
            values: [
                .init("BILLFOLD_WALLET", wallet, meaning: .init("OAuth server and platform", "OAuth 服务器和平台地址")),
                .init("BILLFOLD_ONBOARDING", wallet + "/onboarding/v1/super-app", meaning: .init("Where you register", "登记开发者的地址")),
                .init(
                    "BILLFOLD_ONBOARDING_KEY", key.reveal(),
                    meaning: .init("With which you register, sent as a bearer", "登记用的密钥，以 Bearer 发送")),
                .init(
                    "BILLFOLD_PHONE", phone,
                    meaning: .init("The phone on which your program runs, in a browser", "运行小程序的手机页面，用浏览器打开")),
            ],
            steps: [
                .init(
                    .init("Register", "登记"),
                    .init(
                        "The command makes the keys of your tools, packages and server, and names your program and your OAuth client. What this page gives and what is your own then stands in one file.",
                        "该命令生成工具、程序包和服务器的密钥，并确定小程序编号和 OAuth 客户端编号；本页的地址和你自己的参数都写入同一个文件。"),
                    command:
                        "billfold sandbox register author --to my-programs --address http://127.0.0.1:3000\nset -a; . my-programs/author.env; set +a"
                ),
                .init(
                    .init("Pack and check the program", "打包并检查小程序"),
                    .init(
                        "Your server's address is written into it. The linter says what the container would refuse.",
                        "先把你的服务器地址写入小程序；检查工具会指出容器将拒绝的内容。"),
                    command: #"""
                        mkdir -p my-programs/program && cp -R Examples/BackEnds/author/program/. my-programs/program
                        echo "module.exports = '$OWN_ORIGIN';" > my-programs/program/server.js
                        billfold mini-program lint my-programs/program
                        billfold mini-program pack my-programs/program --app-id "$MINI_PROGRAM_ID" --version 1.0.0 --to program.zip
                        billfold mini-program sign program.zip --key "$PACKAGE_PRIVATE_KEY_FILE" --key-id "$PACKAGE_KEY_ID" --to signed.zip
                        """#),
                .init(
                    .init("Upload, have it reviewed, release it", "上传、审核、发布"),
                    .init(
                        "The console's page of mini programs has both persons' steps. The program takes the short way that test mode has: it asks for the features that yours calls, and for its release. Then it is your server: sign in on the phone whose address it prints.",
                        "控制台的小程序页面提供两人审批的各个步骤。该程序使用测试模式的捷径：申请小程序所需的功能权限并发布；随后充当你的服务器，请在它打印出的手机页面上登录。"),
                    command: "python3 Examples/BackEnds/author/python/author.py signed.zip"),
                .init(
                    .init("Exchange the code", "换取令牌"),
                    .init(
                        "my.getAuthCode gives your page a code for one use; your server signs applyToken.",
                        "my.getAuthCode 返回一次性授权码，由你的服务器签名调用 applyToken。")),
                .init(
                    .init("Take money", "收款"),
                    .init(
                        "A mini program is paid by an express order, so you register as a merchant too: docs/guides/mini-program.md.",
                        "小程序通过快捷订单收款，因此还要登记为商户，见 docs/guides/mini-program.md。"),
                    command: #"""
                        billfold sandbox register merchant --to my-shop --address http://127.0.0.1:3000
                        set -a; . my-shop/merchant.env; set +a
                        python3 Examples/BackEnds/author/python/shop.py
                        """#),
            ])
    }
}
