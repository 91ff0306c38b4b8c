import AlipayPlusApp
import AlipayPlusValues
import Foundation

/// A phone with the wallet GCash, whose person chooses it on every sheet, and a content network that offers Alipay+.
@MainActor
struct SheetPhone {
    let client: AlipayPlusClient
    /// What `pay` answered the shop's server.
    let paymentData: String

    init() {
        let surroundings = SimulatedSheetSurroundings(now: 1_767_294_785_000, installedHosts: ["gcash.example.test"])
        surroundings.onSheet = { [weak surroundings] request in
            guard request != nil, let phone = surroundings else { return }
            Task { phone.say(.message(SheetMessage.selected(.init(walletName: "GCASH")).text)) }
        }
        let option = PublishedOption(isEnabled: true, brandName: "Alipay+").text
        client = AlipayPlusClient(
            surroundings: surroundings, transport: ClosureTransport { _ in OptionAnswer(status: 200, body: Array(option.utf8)) })
        paymentData =
            PaymentData(
                environment: .sandbox, paymentID: "P-1", merchantID: "M-1", acquirerID: "A1112TEST0000000",
                expiryTime: "2026-01-02T03:14:05+08:00", sheetURL: "https://sheet.example.test/s/1",
                wallets: [.init(name: "GCASH", brandName: "GCash", links: WalletLinks(applinkURL: "https://gcash.example.test/a"))]
            ).text
    }
}
