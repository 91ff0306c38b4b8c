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
                .init("BILLFOLD_WALLET", wallet, .init("OAuth server and platform", "OAuth 服务器和平台地址")),
                .init("BILLFOLD_ONBOARDING", wallet + "/onboarding/v1/super-app", .init("Where you register", "登记开发者的地址")),
                .init("BILLFOLD_ONBOARDING_KEY", key.reveal(), .init("With which you register, sent as a bearer", "登记用的密钥，以 Bearer 发送")),
            ],
            steps: [
                .init(
                    .init("Register", "登记"),
                    .init(
                        "The answer has the numbers of your program and of your OAuth client.", "应答中有小程序编号和 OAuth 客户端编号。"),
                    command: "billfold sandbox register author"),
                .init(
                    .init("Pack and check the program", "打包并检查小程序"),
                    .init("The linter says what the container would refuse.", "检查工具会指出容器将拒绝的内容。"),
                    command: "billfold mini-program lint FOLDER\nbillfold mini-program pack FOLDER --out program.zip"),
                .init(
                    .init("Upload, have it reviewed, release it", "上传、审核、发布"),
                    .init(
                        "The console's page of mini programs has both persons' steps.", "控制台的小程序页面提供两人审批的各个步骤。")),
                .init(
                    .init("Exchange the code", "换取令牌"),
                    .init(
                        "my.getAuthCode gives your page a code for one use; your server signs applyToken.",
                        "my.getAuthCode 返回一次性授权码，由你的服务器签名调用 applyToken。")),
            ])
    }
}
