import AlipayPlusApp
import AlipayPlusValues
import UIKitSimulator

/// A phone with the shop's app: what is published for it, the sheet on its screen, and the wallets beside it.
@MainActor
final class Phone {
    enum Network: Sendable {
        case answer(Int, String)
        case lost
    }

    struct Lost: Error {}

    let surroundings = SimulatedSheetSurroundings(now: 1_767_294_785_000)
    let client: AlipayPlusClient

    /// The app's one client; the time passes at once except for the sheet's own limit.
    init(_ network: Network = .answer(404, "")) {
        client = AlipayPlusClient.shared()
        client.surroundings = surroundings
        client.logService = nil
        client.alipaySDKSService = nil
        reply(network)
    }

    func reply(_ network: Network) {
        client.transport = ClosureTransport { _ in
            switch network {
            case .answer(let status, let body): return OptionAnswer(status: status, body: Array(body.utf8))
            case .lost: throw Lost()
            }
        }
    }

    static func data(_ id: String, merchant: String = "M-1") -> String {
        PaymentData(
            environment: .sandbox, paymentID: id, merchantID: merchant, acquirerID: "1022188000000000001",
            expiryTime: "2026-01-02T03:14:05+08:00", sheetURL: "https://sheet.example.test/s/1",
            wallets: [
                .init(
                    name: "GCASH", brandName: "GCash",
                    links: WalletLinks(applinkURL: "https://gcash.example.test/a", normalURL: "https://pages.example.test/n")),
                .init(name: "ALIPAY_CN", brandName: "Alipay"), .init(name: "DANA", brandName: "DANA"),
            ]
        ).text
    }

    func say(_ message: SheetMessage) { surroundings.say(.message(message.text)) }

    func choose(_ wallet: String, order: String? = nil) { say(.selected(.init(walletName: wallet, orderString: order))) }
}
