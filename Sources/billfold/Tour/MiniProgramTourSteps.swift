import AsyncHTTPClient
import BillfoldSandbox
import BillfoldServer
import BillfoldWeb
import Foundation
import Synchronization
import WalletAPI

/// What the journey "run a mini program in a super app" does at each step: a program in JavaScript, and one whose pages are its server's.
final class MiniProgramTourSteps: Sendable {
    typealias Step = (name: String, work: @Sendable () async throws -> String)

    static let teaCounter = "2026112300000001"
    static let postcards = "2026112300000002"

    let addresses: MiniProgramTourParties.Addresses
    private let folder: DataFolder
    private let client: HTTPClient
    struct State {
        var phone: MiniProgramTourPhone?
        /// Codes that open the first program.
        var code = ""
        /// Numbers of orders, and whether each was paid.
        var orders: [String: Bool] = [:]
        /// The runs' names in the console.
        var runs: Set<String> = []
        /// Of the page's calls.
        var calls = 0
    }
    let state = Mutex(State())

    init(addresses: MiniProgramTourParties.Addresses, folder: DataFolder) {
        self.addresses = addresses
        self.folder = folder
        client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
    }

    func end() async throws { try await client.shutdown() }

    var all: [Step] {
        [
            ("publish", { try await self.published() }), ("log in", { try await self.logIn() }),
            ("consent refused", { try await self.refuse() }), ("consent given", { try await self.agree() }),
            ("consent remembered", { try await self.remembered() }), ("some scopes", { try await self.partial() }),
            ("paid", { try await self.pay("onBuy") }), ("paid on the wallet's page", { try await self.pay("onBuyByPage") }),
            ("paid by a trade's number", { try await self.pay("onBuyByNumber") }),
            ("payment cancelled", { try await self.cancel() }), ("payment unknown, then settled", { try await self.unknown() }),
            ("start without a network", { try await self.offline() }),
            (
                "scan a QR code",
                { try await self.scan("onScanQR", picture: try QRCode("table-7").greymap(scale: 6), from: "camera", code: "table-7") }
            ),
            (
                "scan a bar code",
                {
                    try await self.scan(
                        "onScanBar", picture: try BarCode(ean13: "4006381333931").greymap(scale: 3), from: "album", code: "4006381333931")
                }
            ), ("leave the scanner", { try await self.leaveScanner() }),
            ("scan a picture without a code", { try await self.scanNothing() }),
            ("every scene", { try await self.scenes() }), ("open by a code", { try await self.openByCode() }),
            ("web program: sign-in", { try await self.webSignIn() }), ("web program: payment", { try await self.webPayment() }),
            ("web program: scan and scene", { try await self.webScan() }), ("web program: another site", { try await self.otherSite() }),
            ("books", { try await self.compareBooks() }), ("trace", { try await self.readTrace() }),
        ]
    }

    func refused(_ code: String, _ reason: String) -> CommandFailure { CommandFailure(.refused, code: code, reason: reason) }

    var phone: MiniProgramTourPhone {
        get throws {
            guard let phone = state.withLock({ $0.phone }) else { throw refused("not-begun", "there is no phone") }
            return phone
        }
    }

    func note(_ screen: SuperAppScreen) {
        guard let run = screen.story?.split(separator: ":").last.map(String.init) else { return }
        state.withLock { _ = $0.runs.insert(run) }
    }

    // MARK: Opening

    private func published() async throws -> String {
        struct Programs: Decodable {
            struct Program: Decodable {
                struct Code: Decodable { var content: String }
                var appId: String
                var state: String
                var codes: [Code]
            }
            var programs: [Program]
        }
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        while true {
            let programs = try await TourClient.get("\(addresses.author)/author/v1/programs").read(Programs.self).programs
            let isReleased = programs.count == 2 && programs.allSatisfy { $0.state == "Full Release" && !$0.codes.isEmpty }
            if isReleased, let first = programs.first(where: { $0.appId == Self.teaCounter }) {
                state.withLock { $0.code = first.codes[0].content }
                return "2 programs uploaded, reviewed and released, one signed package and one address"
            }
            guard ContinuousClock.now < end else {
                throw refused("not-published", programs.map { "\($0.appId): \($0.state)" }.joined(separator: ", "))
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private func logIn() async throws -> String {
        let phone = try await MiniProgramTourPhone(at: addresses.superApp)
        try await phone.tap(SuperAppTap(.signIn, AlipayTourPayer.name, secret: AlipayTourPayer.loginPassword))
        let screen = try await phone.until("the mini programs") { $0.apps.count == 2 }
        state.withLock { $0.phone = phone }
        return "\(screen.user ?? "nobody") sees \(screen.apps.map(\.name).joined(separator: " and "))"
    }

    func open(_ appID: String) async throws -> SuperAppScreen {
        let phone = try phone
        if try await phone.until("a place", { _ in true }).place != .home { try await phone.tap(SuperAppTap(.close)) }
        try await phone.tap(SuperAppTap(.open, appID))
        let screen = try await phone.until("the mini program") {
            $0.place == .program && ($0.program?.webPage ?? $0.value("status")) != nil
        }
        note(screen)
        return screen
    }

    // MARK: Signing in

    private func refuse() async throws -> String {
        _ = try await open(Self.teaCounter)
        let phone = try phone
        try await phone.touch("onSignIn")
        let sheet = try await phone.sheet(.consent)
        try await phone.tap(SuperAppTap(.refuse))
        let screen = try await phone.says("Not signed in")
        guard let call = screen.calls.last(where: { $0.name == "getAuthCode" }), call.state == .failed, call.text.contains("error: 11")
        else {
            throw refused("value-differs", "a refused sign-in did not fail with 11")
        }
        return "asked for \((sheet.scopes ?? []).map(\.text).joined(separator: ", ")); \(screen.value("status") ?? "")"
    }

    private func agree() async throws -> String {
        let phone = try phone
        try await phone.touch("onSignIn")
        _ = try await phone.sheet(.consent)
        try await phone.tap(SuperAppTap(.agree))
        let screen = try await phone.says("Signed in")
        guard screen.value("user") == "Mei Lin" else { throw refused("value-differs", "the author's server knows another name") }
        return "the author's server knows \(screen.value("user") ?? "") by \(screen.value("scopes") ?? "")"
    }

    private func remembered() async throws -> String {
        let phone = try phone
        let before = try await phone.until("a place") { _ in true }.calls.last?.number ?? 0
        try await phone.touch("onSignIn")
        let screen = try await phone.until("a second sign-in without a question") { screen in
            screen.sheet == nil
                && screen.calls.contains { $0.number > before && $0.name == "request" && $0.state == .done }
                && screen.value("status") == "Signed in."
        }
        guard screen.calls.contains(where: { $0.number > before && $0.name == "getAuthCode" && $0.state == .done }) else {
            throw refused("value-differs", "there was no second code")
        }
        return "nobody was asked again"
    }

    private func partial() async throws -> String {
        let phone = try phone
        try await phone.touch("onPartial")
        let sheet = try await phone.sheet(.consent)
        let asked = (sheet.scopes ?? []).map(\.scope)
        guard !asked.contains("USER_BIRTHDAY"), !asked.contains("USER_NAME") else {
            throw refused("value-differs", "a scope was asked for that is forbidden, or agreed to already")
        }
        try await phone.tap(SuperAppTap(.agree))
        let screen = try await phone.says("without USER_BIRTHDAY")
        return screen.value("status") ?? ""
    }

    // MARK: Paying

    /// Lets the program order and shows the cashier.
    private func begin(_ handler: String) async throws -> (away: String, order: String) {
        let phone = try phone
        let before = try await phone.until("a place") { _ in true }.value("order")
        try await phone.touch(handler)
        let sheet = try await phone.sheet(.cashier)
        let order = try await phone.until("a new order") { screen in screen.value("order").map { $0 != "none" && $0 != before } == true }
            .value("order")
        guard let away = sheet.away, let order else { throw refused("not-begun", "the cashier has no address") }
        return (away, order)
    }

    func address(_ back: String) throws -> String {
        guard let url = URLComponents(string: back)?.queryItems?.first(where: { $0.name == "url" })?.value else {
            throw refused("page-differs", "the way back leads to no app")
        }
        return url
    }

    var payer: AlipayTourPayer { AlipayTourPayer(wallet: addresses.wallet, client: client) }

    private func resultCode(_ screen: SuperAppScreen) -> String {
        screen.calls.last { $0.name == "tradePay" }?.text.firstMatch(of: /resultCode: ([0-9]+)/).map { String($0.1) } ?? "none"
    }

    private func pay(_ handler: String) async throws -> String {
        let phone = try phone
        let (away, order) = try await begin(handler)
        let back = try await payer.pay(from: away)
        try await phone.open(try address(back))
        let screen = try await phone.says("Paid")
        guard resultCode(screen) == "9000" else { throw refused("value-differs", "tradePay said \(resultCode(screen))") }
        state.withLock { $0.orders[order] = true }
        return "order \(order), resultCode 9000, and the merchant's server agrees"
    }

    private func cancel() async throws -> String {
        let phone = try phone
        let (away, order) = try await begin("onBuy")
        try await phone.open(try address(try await payer.cancel(from: away)))
        let screen = try await phone.says("Not paid")
        guard resultCode(screen) == "6001" else { throw refused("value-differs", "tradePay said \(resultCode(screen))") }
        state.withLock { $0.orders[order] = false }
        return "resultCode 6001; \(screen.value("status") ?? "")"
    }

    private func unknown() async throws -> String {
        let phone = try phone
        let (away, order) = try await begin("onBuy")
        _ = try await payer.pay(from: away)
        // The app comes to the front where there is no network: nobody can tell it how the payment ended.
        try await phone.tap(SuperAppTap(.network, "off"))
        try await phone.tap(SuperAppTap(.comeBack))
        let screen = try await phone.until("the end of the payment") { $0.calls.last { $0.name == "tradePay" }?.state == .done }
        guard resultCode(screen) == "6004" else { throw refused("value-differs", "tradePay said \(resultCode(screen))") }
        try await phone.tap(SuperAppTap(.network, "on"))
        // The mini program goes on asking its server.
        _ = try await phone.says("Paid")
        state.withLock { $0.orders[order] = true }
        return "resultCode 6004, never 4000; the merchant's server said paid"
    }

    private func offline() async throws -> String {
        let phone = try phone
        try await phone.tap(SuperAppTap(.close))
        try await phone.tap(SuperAppTap(.network, "off"))
        let screen = try await open(Self.teaCounter)
        try await phone.tap(SuperAppTap(.network, "on"))
        return "\(screen.program?.name ?? "") \(screen.program?.version ?? "") started from the device"
    }

    // MARK: Scanning

    private func scan(_ handler: String, picture: [UInt8], from source: String, code: String) async throws -> String {
        let phone = try phone
        try await phone.touch(handler)
        _ = try await phone.sheet(.scanner)
        try await phone.show(picture, from: source)
        let screen = try await phone.says("Scanned: \(code)")
        return "\(screen.value("status") ?? "") from the \(source)"
    }

    private func leaveScanner() async throws -> String {
        let phone = try phone
        try await phone.touch("onScanQR")
        _ = try await phone.sheet(.scanner)
        try await phone.tap(SuperAppTap(.leaveScanner))
        return try await phone.says("You left the scanner").value("status") ?? ""
    }

    private func scanNothing() async throws -> String {
        let phone = try phone
        try await phone.touch("onScanQR")
        _ = try await phone.sheet(.scanner)
        // White paper.
        try await phone.show(Array("P5\n64 64\n255\n".utf8) + [UInt8](repeating: 255, count: 4096), from: "album")
        let screen = try await phone.says("Nothing was scanned")
        guard screen.calls.last(where: { $0.name == "scan" })?.text.contains("error: 11") == true else {
            throw refused("value-differs", "a picture without a code did not fail with 11")
        }
        return screen.value("status") ?? ""
    }

    // MARK: Scenes and links

    private func scenes() async throws -> String {
        let phone = try phone
        for scene in WalletScene.allCases where scene != .scheme {
            try await phone.touch("onScene", ["scene": scene.rawValue])
            if scene.takesAddress {
                _ = try await phone.sheet(.link)
                try await phone.tap(SuperAppTap(.allow))
            }
            if scene == .scan {
                _ = try await phone.sheet(.scanner)
                try await phone.show(try QRCode("scene").greymap(scale: 6), from: "camera")
            } else {
                let sheet = try await phone.sheet(.scene)
                guard sheet.scene == scene.rawValue else { throw refused("value-differs", "another scene was opened") }
                try await phone.tap(SuperAppTap(.finish))
            }
            _ = try await phone.says("Back from \(scene.rawValue)")
        }
        // A deep link of the super app's own leads to another mini program.
        try await phone.touch("onScene", ["scene": WalletScene.scheme.rawValue])
        _ = try await phone.sheet(.link)
        try await phone.tap(SuperAppTap(.allow))
        note(try await phone.until("the mini program of the link") { $0.program?.appId == Self.postcards })
        return WalletScene.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private func openByCode() async throws -> String {
        let phone = try phone
        try await phone.tap(SuperAppTap(.close))
        try await phone.tap(SuperAppTap(.scan))
        _ = try await phone.sheet(.scanner)
        let code = state.withLock { $0.code }
        try await phone.show(try QRCode(code).greymap(scale: 6), from: "camera")
        let screen = try await phone.until("the mini program of the code") {
            $0.program?.appId == Self.teaCounter && $0.value("status") != nil
        }
        note(screen)
        return "\(code) opened \(screen.program?.name ?? "")"
    }

    // MARK: Books and stories

    private func compareBooks() async throws -> String {
        let merchant = try await TourClient.get("\(addresses.merchant)/alipay-merchant/v1/books").read(AlipayBooks.Merchant.self)
        let paid = state.withLock { Set($0.orders.filter(\.value).keys) }
        guard Set(merchant.entries.map(\.order)) == paid, merchant.entries.count == paid.count else {
            throw refused("books-differ", "the merchant has \(merchant.entries.count) entries, the tour paid \(paid.count)")
        }
        var (gateway, wallet): ([AlipayBooks.Entry], [AlipayBooks.Entry]) = ([], [])
        for day in AlipayBooks.days(of: merchant) {
            gateway += try await AlipayBooks.read("\(addresses.gatewayLink)/link/v1/books?day=\(day)", in: folder, key: "wallet-link.key")
            wallet += try await AlipayBooks.read(
                "\(addresses.walletLink)/wallet/link/v1/books?day=\(day)", in: folder, key: "gateway-link.key")
        }
        let differences =
            AlipayBooks.differences(gateway: gateway, wallet: wallet)
            + AlipayBooks.differences(merchant: merchant.entries, gateway: gateway)
        guard differences.isEmpty else { throw refused("books-differ", differences.joined(separator: "; ")) }
        return "\(merchant.entries.count) payments agree between merchant, wallet and gateway"
    }

    private func readTrace() async throws -> String {
        let runs = state.withLock { $0.runs }
        let awaited = ["my.getAuthCode", "applyAuthCode", "applyToken", "my.tradePay", "make an order", "my.scan", "my.navigateToBizScene"]
        let end = ContinuousClock.now.advanced(by: .seconds(20))
        while true {
            var text = ""
            for run in runs {
                let page = try await TourClient.get("\(addresses.console)/stories/mini-program.run:\(run)")
                if page.status == 200 { text += String(decoding: page.body, as: UTF8.self) }
            }
            let missing = awaited.filter { !text.contains($0) }
            if missing.isEmpty { break }
            guard ContinuousClock.now < end else {
                throw refused("story-incomplete", "the stories lack \(missing.joined(separator: ", "))")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        return "\(runs.count) runs tell of every call down to the servers"
    }
}
