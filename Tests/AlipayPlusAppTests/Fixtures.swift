import AlipayPlusValues
import BillfoldTestSupport
import Foundation
import Synchronization
import Testing

@testable import AlipayPlusApp

/// A content network with a script, by the end of a path.
final class ScriptedNetwork: OptionTransport {
    enum Reply: Sendable {
        case answer(Int, String)
        case lost
        /// Nothing ever comes, and a cancellation is not heeded until the test lets go.
        case silence
    }

    struct Lost: Error {}

    private struct State {
        var reply = Reply.lost
        var addresses: [URL] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var addresses: [URL] { state.withLock { $0.addresses } }

    func reply(_ reply: Reply) { state.withLock { $0.reply = reply } }

    func letGo() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func get(_ address: URL) async throws -> OptionAnswer {
        let reply = state.withLock { state in
            state.addresses.append(address)
            return state.reply
        }
        switch reply {
        case .answer(let status, let body): return OptionAnswer(status: status, body: Array(body.utf8))
        case .lost: throw Lost()
        case .silence:
            await withCheckedContinuation { continuation in state.withLock { $0.waiting.append(continuation) } }
            throw Lost()
        }
    }
}

/// What the log service was told.
@MainActor
final class RecordedLog: @MainActor IAPLogServiceProtocol {
    private(set) var lines: [(name: IAPLogName?, facts: [String: String])] = []

    func log(withName name: String, parameter: [AnyHashable: Any]?) {
        lines.append((IAPLogName(rawValue: name), parameter as? [String: String] ?? [:]))
    }

    func facts(_ name: IAPLogName) -> [[String: String]] { lines.filter { $0.name == name }.map(\.facts) }
}

/// An Alipay SDK that pays when the test says so.
@MainActor
final class ScriptedAlipay: @MainActor AlipaySDKServiceProtocol {
    private(set) var orders: [(order: String, scheme: String)] = []
    private(set) var returns: [URL] = []
    private var callbacks: [([AnyHashable: Any]) -> Void] = []
    private var standby: (([AnyHashable: Any]) -> Void)?

    func payOrder(_ orderStr: String, fromScheme schemeStr: String, callback: @escaping ([AnyHashable: Any]) -> Void) {
        orders.append((orderStr, schemeStr))
        callbacks.append(callback)
    }

    func processOrder(withPaymentResult resultUrl: URL, standbyCallback: @escaping ([AnyHashable: Any]) -> Void) {
        returns.append(resultUrl)
        standby = standbyCallback
    }

    var callback: (([AnyHashable: Any]) -> Void)? { callbacks.last }

    /// Ends the latest payment by its block, or what came with a URL by that one's.
    func say(_ status: String, standby isStandby: Bool = false, result: String = "") {
        (isStandby ? standby : callback)?(["resultStatus": status, "result": result, "memo": ""])
    }

    /// Ends a payment by its own block, counted from the first.
    func say(_ status: String, byBlock number: Int, result: String = "") {
        callbacks[number](["resultStatus": status, "result": result, "memo": ""])
    }
}

/// A phone with a merchant's app that has the SDK.
@MainActor
final class TestPhone {
    static let now: Int64 = 1_767_294_845_000 - 60_000
    static let sheetURL = "https://sheet.example.test/s/1?k=a"

    let surroundings = SimulatedSheetSurroundings(now: TestPhone.now)
    let network = ScriptedNetwork()
    let time = TestTime()
    let log = RecordedLog()
    let client: AlipayPlusClient
    private(set) var events: [IAPPaymentSheetEvent] = []

    init(configured: Bool = true) {
        client = AlipayPlusClient(surroundings: surroundings, transport: network, wait: time.wait)
        client.logService = log
        time.hold(client.inquiryLimit)
        time.hold(client.sheetLimit)
        if configured { client.setConfiguration(Self.configuration()) }
    }

    nonisolated static func configuration(_ change: (IAPConfiguration) -> Void = { _ in }) -> IAPConfiguration {
        let configuration = IAPConfiguration()
        configuration.merchantId = "M-1"
        configuration.acquirerId = "A1112TEST0000000"
        configuration.envType = kIAPEnvSANDBOX
        configuration.fromScheme = "shopapp"
        change(configuration)
        return configuration
    }

    static let links = WalletLinks(
        schemeURL: "gcash://pay?c=1", applinkURL: "https://gcash.example.test/a", normalURL: "https://pages.example.test/n")

    static func data(_ change: (inout PaymentData) -> Void = { _ in }) -> PaymentData {
        var data = PaymentData(
            environment: .sandbox, paymentID: "P-1", merchantID: "M-1", acquirerID: "A1112TEST0000000",
            expiryTime: "2026-01-02T03:14:05+08:00", sheetURL: sheetURL,
            wallets: [.init(name: "GCASH", brandName: "GCash", links: links), .init(name: "DANA"), .init(name: "ALIPAY_CN")])
        change(&data)
        return data
    }

    /// Shows a sheet and keeps what its callback is told.
    func show(_ data: PaymentData = TestPhone.data()) { client.showPaymentSheet(data.text) { self.events.append($0) } }

    func say(_ message: SheetMessage) { surroundings.say(.message(message.text)) }

    func select(_ wallet: String = "GCASH", links: WalletLinks = WalletLinks(), order: String? = nil) {
        say(.selected(.init(walletName: wallet, links: links, orderString: order)))
    }

    var names: [String] { events.map(\.name) }
    var openedURLs: [String] { surroundings.openings.map(\.url.absoluteString) }
}

let didShow = IAPPaymentSheetEventDidShow
let didSelect = IAPPaymentSheetEventDidSelectWalletAndPay
let didCancel = IAPPaymentSheetEventUserDidCancel
let threw = IAPPaymentSheetEventThrowException
