package import BillfoldDiagnosis
package import BillfoldWeb

extension ConnectGuide {
    /// An acquirer's own server at the acquiring gateway.
    ///
    /// - Parameters:
    ///   - gateway: The origin of this gateway.
    ///   - key: With which acquirers and wallets of the sandbox register themselves.
    package static func acquirer(gateway: String, key: Secret<String>) -> Self {
        Self(
            slug: "acquirer",
            title: .init("An acquirer of many wallets", "多钱包收单机构"),
            summary: .init(
                "Your server signs pay, inquire, cancel and refund, and takes notifications. Gateway and wallets are played.",
                "由你的服务器签名支付、查询、撤销和退款请求，并接收通知；网关和各钱包由沙箱扮演。"),
            values: [
                .init(
                    "ALIPAY_PLUS_GATEWAY", gateway,
                    meaning: .init("The gateway; its calls are below /aps/api/v1", "网关地址，接口在 /aps/api/v1 之下")),
                .init("BILLFOLD_ONBOARDING", gateway + "/onboarding/v1/acquirers", meaning: .init("Where you register", "登记收单机构的地址")),
                .init(
                    "BILLFOLD_ONBOARDING_KEY", key.reveal(),
                    meaning: .init("With which you register, sent as a bearer", "登记用的密钥，以 Bearer 发送")),
            ],
            steps: [
                .init(
                    .init("Make a key and register", "生成密钥并登记"),
                    .init(
                        "The command makes your key, names its public half, your ids and where you are notified, and keeps the gateway's public key. What this page gives and what is your own then stands in one file.",
                        "该命令生成密钥，提交公钥、编号和通知地址，并保存网关公钥；本页的地址和你自己的参数都写入同一个文件。"),
                    command: "billfold sandbox register acquirer --to my-acquirer\nset -a; . my-acquirer/acquirer.env; set +a"),
                .init(
                    .init("Pay", "发起支付"),
                    .init(
                        "Sign method, path, client id, time and body. The answer has an address to send the customer to. The program prints it, and does all that follows.",
                        "对方法、路径、Client-Id、时间和报文签名；应答中有引导顾客前往的地址。该程序会打印它，并完成后续各步。"),
                    command: "python3 Examples/BackEnds/acquirer/python/acquirer.py"),
                .init(
                    .init("Hold on to U", "保持 U 状态"),
                    .init("U is not F: inquire under the same id until it is S or F.", "U 不是 F：以同一编号查询，直到返回 S 或 F。")),
                .init(
                    .init("Acknowledge notifications", "应答通知"),
                    .init("Verify, compare, answer S and sign the answer.", "验签、核对、返回 S，并对应答签名。")),
            ])
    }
}
