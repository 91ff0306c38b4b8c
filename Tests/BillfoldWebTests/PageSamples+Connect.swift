import BillfoldDiagnosis
import BillfoldWeb
import CardPaymentsServer
import ProvisioningServer

extension PageSamples {
    static func guide(all value: String) -> ConnectGuide {
        let text = ConnectGuide.Text(value, value)
        return ConnectGuide(
            slug: value, title: text, summary: text, values: [.init(value, value, meaning: text)], steps: [.init(text, text, command: value)])
    }

    static let merchantGuide = ConnectGuide.cardMerchant(
        server: "http://127.0.0.1:8080", key: Secret("0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"),
        payPage: "http://127.0.0.1:8082/unionpay/pay")
    static let bankGuide = ConnectGuide.bank(
        host: "http://127.0.0.1:8080", key: Secret("0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"), broker: "http://127.0.0.1:8082",
        app: "http://127.0.0.1:8082/bank")
}
