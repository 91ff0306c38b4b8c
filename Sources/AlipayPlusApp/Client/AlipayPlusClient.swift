import AlipayPlusValues
import BillfoldConcurrency
import BillfoldJSON
public import Foundation

/// The SDK of Alipay+ for an app that shows the payment sheet: the documented names over surroundings that can be replaced.
///
/// Set it up with ``setConfiguration(_:)`` before anything else. What it says is about the sheet and never about money: whether a payment
/// is made, the merchant's server knows. Handlers and callbacks are never called before the call returns.
#if canImport(ObjectiveC)
    @objc(AlipayPlusClient)
#endif
@MainActor
public final class AlipayPlusClient: NSObject {
    /// Told of an option, or of an `NSError` of ``IAPErrorDomain``; once.
    public typealias OptionHandler = @MainActor (IAPPaymentOption?, (any Error)?) -> Void
    /// Told of everything that happens to a sheet: several times.
    public typealias SheetCallback = @MainActor (IAPPaymentSheetEvent) -> Void
    /// Returns when the duration is over; throws when its task is cancelled.
    public typealias Wait = @Sendable (Duration) async throws -> Void

    /// The client of the current task, where one process holds many phones; bind it with
    /// `AlipayPlusClient.$current.withValue(client) { … }`.
    @TaskLocal public static var current: AlipayPlusClient?
    #if canImport(UIKit) && canImport(WebKit) && !os(watchOS)
        private static let single = AlipayPlusClient(surroundings: UIKitSheetSurroundings(), transport: URLSession.shared)
    #else
        private static let single = AlipayPlusClient(surroundings: nil, transport: nil)
    #endif

    /// The one client of the app.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public static var shared: AlipayPlusClient { current ?? single }

    /// Told what the client does and what fails.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var logService: (any IAPLogServiceProtocol)?
    /// The Alipay SDK, where the app links it. The name is spelt as in the real header [O].
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var alipaySDKSService: (any IAPAlipaySDKService)?

    /// Which environment has which content network.
    public var hosts = AlipayPlusHosts.standard
    /// The phone. Nil: a sheet ends with an exception at once.
    public var surroundings: (any SheetSurroundings)?
    /// What published options are fetched by. Nil: an inquiry ends with 1001.
    public var transport: (any OptionTransport)?
    /// How long an inquiry waits for the content network.
    public var inquiryLimit = Duration.seconds(5)
    /// How long a sheet may take until it says that it is drawn.
    public var sheetLimit = Duration.seconds(15)

    private let wait: Wait
    private var configured: Result<Settings, IAPError>?
    private var sheet: PaymentSheetSession?
    /// The sheet whose person is in the Alipay app.
    private var paying: PaymentSheetSession?

    public init(
        surroundings: (any SheetSurroundings)?, transport: (any OptionTransport)?,
        wait: @escaping Wait = { try await Task.sleep(for: $0) }
    ) {
        self.surroundings = surroundings
        self.transport = transport
        self.wait = wait
        super.init()
    }

    /// Copies the values, and keeps them in memory only. Values that are wrong are told by the calls that need them, with 1001.
    #if canImport(ObjectiveC)
        @objc(setConfiguration:)
    #endif
    public func setConfiguration(_ configuration: IAPConfiguration) {
        let result: Result<Settings, IAPError>
        do throws(IAPError) { result = .success(try Settings(configuration)) } catch { result = .failure(error) }
        configured = result
        switch result {
        case .success(let settings):
            log(.configured, ["environment": settings.environment.rawValue, "language": settings.language.rawValue])
        case .failure(let error): log(.exception, ["error": error.description])
        }
    }

    func settings() throws(IAPError) -> Settings {
        guard let configured else { throw IAPError(.parameterIllegal, "setConfiguration was not called") }
        return try configured.get()
    }

    func log(_ name: IAPLogName, _ facts: [String: String]) { logService?.logWithName(name.rawValue, parameter: facts) }

    // MARK: The payment option

    /// Asks whether Alipay+ can be offered for a currency, and how it is drawn.
    ///
    /// 1001 for wrong parameters or no configuration, 1002 when no answer comes in time, 1003 for an answer that cannot be used. What is
    /// not published is no error: the option is disabled then, with a reason.
    #if canImport(ObjectiveC)
        @objc(inquirePaymentOption:completionHandler:)
    #endif
    public func inquirePaymentOption(_ params: IAPInquirePaymentOptionParams, completionHandler: @escaping OptionHandler) {
        let prepared = prepare(params)
        Task {
            do throws(IAPError) {
                let option = try await ask(prepared)
                completionHandler(option, nil)
            } catch { completionHandler(nil, error.nsError) }
        }
    }

    /// As ``inquirePaymentOption(_:completionHandler:)``.
    public func inquirePaymentOption(_ params: IAPInquirePaymentOptionParams) async throws(IAPError) -> IAPPaymentOption {
        try await ask(prepare(params))
    }

    private typealias Prepared = Result<(inquiry: OptionInquiry, address: URL, transport: any OptionTransport), IAPError>

    private func prepare(_ params: IAPInquirePaymentOptionParams) -> Prepared {
        do throws(IAPError) {
            let inquiry = try OptionInquiry(params.paymentCurrency, logoPattern: params.logoPattern, for: settings())
            guard let address = hosts.address(of: inquiry.path) else {
                throw IAPError(.parameterIllegal, "no host is known for \(inquiry.path.environment.rawValue)")
            }
            guard let transport else { throw IAPError(.parameterIllegal, "the client has no transport") }
            return .success((inquiry, address, transport))
        } catch { return .failure(error) }
    }

    private func ask(_ prepared: Prepared) async throws(IAPError) -> IAPPaymentOption {
        do throws(IAPError) {
            let (inquiry, address, transport) = try prepared.get()
            log(.optionInquired, ["path": inquiry.path.path])
            let answer = try await fetch(address, by: transport)
            let option = try inquiry.option(from: answer)
            log(.optionAnswered, ["enabled": String(option.enabled), "status": String(answer.status)])
            return option
        } catch {
            log(.exception, ["error": error.description])
            throw error
        }
    }

    /// A transport that does not heed its cancellation is not waited for.
    private func fetch(_ address: URL, by transport: any OptionTransport) async throws(IAPError) -> OptionAnswer {
        let answer: OptionAnswer?
        do throws(NoAnswer) {
            answer = try await firstAnswer(within: inquiryLimit, by: wait) { try? await transport.get(address) }
        } catch {
            switch error {
            case .late: throw IAPError(.invalidNetwork, "no answer came from the content network in time")
            case .left: throw IAPError(.invalidNetwork, "the inquiry was cancelled")
            }
        }
        guard let answer else { throw IAPError(.invalidNetwork, "no answer came from the content network") }
        return answer
    }

    // MARK: The payment sheet

    /// Shows the sheet of a payment. Payment data that cannot be used shows none, and ends in one exception event.
    ///
    /// A second call for the payment whose sheet is on the screen shows no second one: its callback hears the rest of the first.
    #if canImport(ObjectiveC)
        @objc(showPaymentSheet:callback:)
    #endif
    public func showPaymentSheet(_ paymentData: String, callback: @escaping SheetCallback) {
        show(paymentData) { if case .event(let event) = $0 { callback(event) } }
    }

    func show(_ paymentData: String, listener: @escaping PaymentSheetSession.Listener) {
        do throws(IAPError) {
            let settings = try settings()
            guard let surroundings else { throw IAPError(.parameterIllegal, "the client has no surroundings to show a sheet in") }
            let data = try SheetCheck.data(paymentData, for: settings, at: surroundings.now)
            log(.sheetRequested, ["paymentId": data.paymentID, "wallets": String(data.wallets.count)])
            if let sheet {
                guard ExactText.equal(sheet.data.paymentID, data.paymentID) else {
                    throw IAPError(.parameterIllegal, "the sheet of another payment is on the screen")
                }
                return sheet.add(listener)
            }
            let sheet = PaymentSheetSession(
                data, settings: settings, in: surroundings, wait: wait,
                log: { [weak self] in self?.log($0, $1) }, leftScreen: { [weak self] in self?.leftScreen($0) })
            self.sheet = sheet
            sheet.add(listener)
            sheet.show(alipay: alipaySDKSService, limit: sheetLimit)
        } catch {
            log(.exception, ["error": error.description])
            Task {
                listener(.event(IAPPaymentSheetEvent(name: IAPPaymentSheetEventThrowException, message: error.description)))
                listener(.ended(.failed(error)))
            }
        }
    }

    private func leftScreen(_ sheet: PaymentSheetSession) {
        guard self.sheet === sheet else { return }
        self.sheet = nil
        paying = sheet
        NotificationCenter.default.post(name: IAPPaymentSheetDidCloseNotification, object: self)
    }

    // MARK: Coming back from the Alipay app

    /// Whether a URL by which the app was opened is a return from the Alipay app.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public func canProcessOrderWithPaymentResult(_ resultUrl: URL) -> Bool {
        guard alipaySDKSService != nil, let scheme = (try? settings())?.fromScheme else { return false }
        return resultUrl.scheme?.lowercased() == scheme.lowercased() && resultUrl.host?.lowercased() == "safepay"
    }

    /// Hands such a URL to the Alipay SDK; any other is left alone.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public func processOrderWithPaymentResult(_ resultUrl: URL) {
        guard canProcessOrderWithPaymentResult(resultUrl) else {
            return log(.returnRefused, ["scheme": resultUrl.scheme ?? ""])
        }
        alipaySDKSService?.processOrderWithPaymentResult(resultUrl) { [weak self] result in self?.paying?.alipayEnded(result) }
    }
}
