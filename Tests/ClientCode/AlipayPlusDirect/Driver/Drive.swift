import AlipayPlusApp
import AlipayPlusValues
import Foundation

@main
@MainActor
enum Drive {
    static func main() async {
        let phone = SimulatedSheetSurroundings(now: 1_767_294_785_000)
        let checkout = Checkout()
        checkout.client.surroundings = phone
        checkout.begin(
            PaymentData(
                environment: .sandbox, paymentID: "P-1", merchantID: "M1", acquirerID: "1022188000000000001",
                expiryTime: "2026-01-02T03:14:05+08:00", sheetURL: "https://sheet.example.test/s/1", wallets: [.init(name: "GCASH")]
            ).text)
        check("the sheet is shown in the language that was set", phone.sheet?.address.query?.contains("language=ms_MY") == true)
        phone.say(.message(SheetMessage.selected(.init(walletName: "GCASH")).text))
        check("the sheet goes when a wallet is chosen", phone.sheet == nil)
        check("an error is known by its constants", checkout.says(IAPError(.invalidNetwork, "lost").nsError))
        check("the method and the property give one client", checkout.client === AlipayPlusClient.shared)
        check("what was set is read", checkout.client.configuration.merchantId == "M1" && checkout.client.logService != nil)
    }

    private static func check(_ outcome: String, _ holds: Bool) {
        print(holds ? outcome : "differs: \(outcome)")
        if !holds { exit(1) }
    }
}
