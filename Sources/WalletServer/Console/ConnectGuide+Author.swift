package import BillfoldDiagnosis
package import BillfoldWeb

extension ConnectGuide {
    /// An author's own mini program and its server in the super app.
    ///
    /// - Parameters:
    ///   - wallet: The origin of this server.
    ///   - key: With which authors of the sandbox register themselves.
    package static func author(wallet: String, key: Secret<String>) -> Self {
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
            ],
            steps: [
                .init(
                    .init("Register", "登记"),
                    .init(
                        "The command makes the keys of your tools, packages and server, and names your program and your OAuth client. What this page gives and what is your own then stands in one file.",
                        "该命令生成工具、程序包和服务器的密钥，并确定小程序编号和 OAuth 客户端编号；本页的地址和你自己的参数都写入同一个文件。"),
                    command: "billfold sandbox register author --to my-programs\nset -a; . my-programs/author.env; set +a"),
                .init(
                    .init("Pack and check the program", "打包并检查小程序"),
                    .init("The linter says what the container would refuse.", "检查工具会指出容器将拒绝的内容。"),
                    command: #"""
                        billfold mini-program lint Examples/BackEnds/author/program
                        billfold mini-program pack Examples/BackEnds/author/program --app-id "$MINI_PROGRAM_ID" --version 1.0.0 --to program.zip
                        billfold mini-program sign program.zip --key "$PACKAGE_PRIVATE_KEY_FILE" --key-id "$PACKAGE_KEY_ID" --to signed.zip
                        """#),
                .init(
                    .init("Upload, have it reviewed, release it", "上传、审核、发布"),
                    .init(
                        "The console's page of mini programs has both persons' steps. The program takes the short way that test mode has, and then signs a user in.",
                        "控制台的小程序页面提供两人审批的各个步骤。该程序使用测试模式的捷径，然后完成用户登录。"),
                    command: "python3 Examples/BackEnds/author/python/author.py signed.zip"),
                .init(
                    .init("Exchange the code", "换取令牌"),
                    .init(
                        "my.getAuthCode gives your page a code for one use; your server signs applyToken.",
                        "my.getAuthCode 返回一次性授权码，由你的服务器签名调用 applyToken。")),
            ])
    }
}
