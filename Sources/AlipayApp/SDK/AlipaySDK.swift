import Alipay
import BillfoldConcurrency
public import Foundation

/// Told of a payment's end: `resultStatus`, `result` and `memo`, all text.
public typealias CompletionBlock = ([AnyHashable: Any]?) -> Void

/// The documented interface over a ``PaymentClient``: the same names, the same selectors, the same dictionary.
///
/// Set up ``client`` once, when the app starts. What differs from the documented behaviour, on purpose: a block is called when the
/// merchant's server was asked, not before; "9000" is handed on only with a result that verifies and, where the client has a server to
/// ask, with that server's word; otherwise the code is 8000 or 6004, which mean "ask". A block is called once, on the main thread.
///
/// The documented names may be called from any thread, and take what the header lets be nil. A call that gives something back waits for the
/// main thread where it is called elsewhere; no other does.
#if canImport(ObjectiveC)
    @objc(AlipaySDK)
#endif
public final class AlipaySDK: NSObject, Sendable {
    /// The service of the current task, where one process holds many phones; bind it with `AlipaySDK.$current.withValue(service) { … }`.
    @TaskLocal public static var current: AlipaySDK?
    private static let shared = AlipaySDK()

    /// What the calls go to. Nil: a payment ends with 4000 at once, and nothing is sent. A URL that comes before it is set is kept for it,
    /// as one does that starts the app.
    @MainActor public var client: PaymentClient? {
        didSet {
            connect()
            takeEarlyURLs()
        }
    }
    /// Told of payments whose own block is gone with an earlier run of the app. A URL that comes before it is set is kept.
    @MainActor public var standbyCallback: CompletionBlock? {
        didSet { connect() }
    }
    let window = Locked(WindowReference())

    /// How many URLs wait for a client; older ones are dropped.
    private static let capacity = 20
    @MainActor private var early: [(url: URL, block: CompletionBlock?)] = []

    private override init() { super.init() }

    @MainActor
    public init(client: PaymentClient?) {
        self.client = client
        super.init()
    }

    /// The one service of the app. Never nil: the header does not say so, and so `defaultService()?` compiles as well as
    /// `defaultService()`.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public static func defaultService() -> AlipaySDK! { current ?? shared }

    // MARK: Paying

    /// Pays by the wallet where it is installed, by the web cashier otherwise. The block tells how the cashier ended; how the wallet
    /// ended it tells only where the URL that came back was handed over without a block.
    #if canImport(ObjectiveC)
        @objc(payOrder:fromScheme:callback:)
    #endif
    public func payOrder(_ orderStr: String!, fromScheme schemeStr: String!, callback completionBlock: CompletionBlock!) {
        pay(orderStr, returnTo: ReturnAddress(scheme: schemeStr ?? ""), completionBlock) { $0.dictionary }
    }

    /// The same. The real wallet's dynamic rules for choosing its way are not known here: `dynamicLaunch` changes nothing.
    #if canImport(ObjectiveC)
        @objc(payOrder:dynamicLaunch:fromScheme:callback:)
    #endif
    public func payOrder(
        _ orderStr: String!, dynamicLaunch: Bool, fromScheme schemeStr: String!, callback completionBlock: CompletionBlock!
    ) {
        payOrder(orderStr, fromScheme: schemeStr, callback: completionBlock)
    }

    /// The same, for an app that the wallet may come back to by a universal link.
    #if canImport(ObjectiveC)
        @objc(payOrder:fromScheme:fromUniversalLink:callback:)
    #endif
    public func payOrder(
        _ orderStr: String!, fromScheme schemeStr: String!, fromUniversalLink universalLink: String!,
        callback completionBlock: CompletionBlock!
    ) {
        let address = ReturnAddress(scheme: schemeStr ?? "", universalLink: universalLink)
        pay(orderStr, returnTo: address, completionBlock) { $0.dictionary }
    }

    /// Takes the URL by which the wallet came back, whose host is `safepay`. Call it from every delegate method that gets one: a URL
    /// that comes twice counts once. The block exists because the app may have been killed while the wallet was in front.
    #if canImport(ObjectiveC)
        @objc(processOrderWithPaymentResult:standbyCallback:)
    #endif
    public func processOrder(withPaymentResult resultUrl: URL!, standbyCallback completionBlock: CompletionBlock!) {
        let block = HandedOver(completionBlock)
        MainThread.soon { self.take(resultUrl, block.value) }
    }

    @MainActor private func take(_ url: URL?, _ block: CompletionBlock?) {
        guard let url else { return }
        Self.log("a URL came back: \(url.scheme ?? "")://\(url.host ?? "")")
        guard let client else {
            early.append((url, block))
            return early.removeFirst(max(0, early.count - Self.capacity))
        }
        var companion: PaymentClient.Standby?
        if let block { companion = { block($0.dictionary) } }
        client.handle(url, companion: companion)
    }

    @MainActor private func takeEarlyURLs() {
        guard client != nil else { return }
        let waiting = early
        early = []
        for (url, block) in waiting { take(url, block) }
    }

    // MARK: What it knows

    /// Whether a payment from this app ever succeeded: a hint, as in the real header ("was used here before").
    #if canImport(ObjectiveC)
        @objc
    #endif
    public func isLogined() -> Bool { MainThread.run { client?.pending.hasPaid ?? false } }

    /// The wallet's number of the last trade that came back with a verified result; nil without one.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public func fetchTradeToken() -> String! { MainThread.run { client?.pending.lastTradeNumber } }

    /// The version of this client, not of the real one.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public func currentVersion() -> String! { "1.0.0" }

    // MARK: The work

    /// - Parameters:
    ///   - order: Nil is no order: 4000.
    ///   - address: Where the wallet comes back to.
    ///   - block: Told once.
    ///   - form: What the block is told.
    func pay(
        _ order: String?, returnTo address: ReturnAddress, _ block: CompletionBlock?,
        as form: @escaping @Sendable (PaymentReport) -> [AnyHashable: Any]
    ) {
        let block = HandedOver(block)
        MainThread.soon { [self] in
            let listener = ReportListener(isSuspended: false) { news in
                switch news {
                case .success(nil): break
                case .success(let report?): Self.tell(report, to: block.value, as: form)
                case .failure(let error): Self.tell(.notBegun(error), to: block.value, as: form)
                }
            }
            Self.log("a payment begins; it comes back to \(address.scheme)")
            guard let client else {
                return listener(.failure(AlipayAppError(code: .notSetUp, reason: "AlipaySDK.defaultService().client is not set")))
            }
            client.begin(order: order ?? "", returnTo: address, listener: listener)
        }
    }

    @MainActor private static func tell(
        _ report: PaymentReport, to block: CompletionBlock?, as form: (PaymentReport) -> [AnyHashable: Any]
    ) {
        log("the payment ended with \(report.status.rawValue)")
        block?(form(report))
    }

    @MainActor private func connect() {
        guard let client, let standbyCallback else { return }
        client.standby = { standbyCallback($0.dictionary) }
    }
}

extension PaymentReport {
    /// Nothing was sent: failing is certain.
    static func notBegun(_ error: AlipayAppError) -> PaymentReport {
        PaymentReport(
            orderNumber: "", outcome: .failed(.failed), reply: PaymentResult(status: .failed, memo: "\(error)"),
            status: .failed)
    }
}
