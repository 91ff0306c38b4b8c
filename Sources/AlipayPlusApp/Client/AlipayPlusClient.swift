import AlipayPlusValues
import BillfoldConcurrency
import BillfoldJSON
public import Foundation

/// The SDK of Alipay+ for an app that shows the payment sheet: the documented names over surroundings that can be replaced.
///
/// Set ``configuration`` before anything else. What the client says is about the sheet and never about money: whether a payment is made,
/// the merchant's server knows. The documented names may be called from any thread: none of them waits for another. Handlers and callbacks
/// are called on the main one, and never before the call returns.
#if canImport(ObjectiveC)
    @objc(AlipayPlusClient)
#endif
public final class AlipayPlusClient: NSObject, Sendable {
    /// Told of an option, or of an `NSError` of ``IAPErrorDomain``; once.
    public typealias OptionHandler = (IAPPaymentOption?, (any Error)?) -> Void
    /// Told of everything that happens to a sheet: several times.
    public typealias SheetCallback = (IAPPaymentSheetEvent) -> Void
    /// Returns when the duration is over; throws when its task is cancelled.
    public typealias Wait = @Sendable (Duration) async throws -> Void

    /// The client of the current task, where one process holds many phones; bind it with
    /// `AlipayPlusClient.$current.withValue(client) { … }`.
    @TaskLocal public static var current: AlipayPlusClient?
    private static let single = AlipayPlusClient()

    /// The one client of the app. Headers declare it as a method, documents use it as a property: `AlipayPlusClient.shared()` and
    /// `AlipayPlusClient.shared` are the same object.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public static var shared: AlipayPlusClient { current ?? single }

    /// Gives the client itself: what makes `AlipayPlusClient.shared()` compile.
    public func callAsFunction() -> AlipayPlusClient { self }

    // MARK: Beside the documented names

    /// Which environment has which content network.
    @MainActor public var hosts = AlipayPlusHosts.standard
    /// The phone. Nil: a sheet ends with an exception at once. The app's one client has the system's on iOS.
    @MainActor public var surroundings: (any SheetSurroundings)? {
        get { givenSurroundings ?? (isSingle ? Self.systemSurroundings : nil) }
        set { givenSurroundings = newValue }
    }
    /// What published options are fetched by. Nil: an inquiry ends with 1001.
    @MainActor public var transport: (any OptionTransport)?
    /// How long an inquiry waits for the content network.
    @MainActor public var inquiryLimit = Duration.seconds(5)
    /// How long a sheet may take until it says that it is drawn.
    @MainActor public var sheetLimit = Duration.seconds(15)

    private let wait: Wait
    private let isSingle: Bool
    @MainActor private var givenSurroundings: (any SheetSurroundings)?
    private let configured = Locked<HandedOver<IAPConfiguration>?>(nil)
    private let logger = Locked<HandedOver<any IAPLogServiceProtocol>?>(nil)
    private let alipay = Locked<HandedOver<any AlipaySDKServiceProtocol>?>(nil)
    @MainActor private var sheet: PaymentSheetSession?
    @MainActor private var launches = AlipayLaunches()

    #if canImport(UIKit) && canImport(WebKit) && !os(watchOS)
        @MainActor private static let systemSurroundings: (any SheetSurroundings)? = UIKitSheetSurroundings()
        private static let systemTransport: (any OptionTransport)? = URLSession.shared
    #else
        @MainActor private static let systemSurroundings: (any SheetSurroundings)? = nil
        private static let systemTransport: (any OptionTransport)? = nil
    #endif

    private override init() {
        wait = { try await Task.sleep(for: $0) }
        isSingle = true
        transport = Self.systemTransport
        super.init()
    }

    @MainActor
    public init(
        surroundings: (any SheetSurroundings)?, transport: (any OptionTransport)?,
        wait: @escaping Wait = { try await Task.sleep(for: $0) }
    ) {
        givenSurroundings = surroundings
        self.transport = transport
        self.wait = wait
        isSingle = false
        super.init()
    }

    // MARK: Setting up

    /// What the SDK is set up with. The client holds the object, and each call reads it when it is made. Values that are wrong are told by
    /// the calls that
    /// need them, with 1001.
    ///
    /// Read before it was set, it is a configuration with the defaults, without the two mandatory ids.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var configuration: IAPConfiguration {
        get {
            configured.withLock { configured in
                let held = configured ?? HandedOver(IAPConfiguration())
                configured = held
                return held
            }.value
        }
        set {
            let new = HandedOver(newValue)
            configured.withLock { $0 = new }
            MainThread.soon { self.logConfigured(new.value) }
        }
    }

    /// As setting ``configuration``.
    public func setConfiguration(_ configuration: IAPConfiguration) { self.configuration = configuration }

    /// Told what the client does and what fails; nil, the default, keeps it quiet.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var logService: (any IAPLogServiceProtocol)? {
        get { logger.withLock { $0 }?.value }
        set {
            let new = newValue.map { HandedOver($0) }
            logger.withLock { $0 = new }
        }
    }

    /// The Alipay SDK, where the app links it; nil, the default, opens Alipay as any other wallet. The name is spelt as in the real header
    /// [O].
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var alipaySDKSService: (any AlipaySDKServiceProtocol)? {
        get { alipay.withLock { $0 }?.value }
        set {
            let new = newValue.map { HandedOver($0) }
            alipay.withLock { $0 = new }
        }
    }

    @MainActor private func logConfigured(_ configuration: IAPConfiguration) {
        do throws(IAPError) {
            let settings = try Settings(configuration)
            log(.configured, ["environment": settings.environment.rawValue, "language": settings.language.rawValue])
        } catch { log(.exception, ["error": error.description]) }
    }

    private func settings() throws(IAPError) -> Settings {
        guard let configured = configured.withLock({ $0 }) else { throw IAPError(.parameterIllegal, "no configuration was set") }
        return try Settings(configured.value)
    }

    @MainActor private func log(_ name: IAPLogName, _ facts: [String: String]) {
        logService?.log(withName: name.rawValue, parameter: facts)
    }

    // MARK: The payment option

    /// Asks whether Alipay+ can be offered for a currency, and how it is drawn.
    ///
    /// 1001 for wrong parameters or no configuration, 1002 when no answer comes in time, 1003 for an answer that cannot be used. What is
    /// not published is no error: the option is disabled then, with a reason.
    #if canImport(ObjectiveC)
        @objc(inquirePaymentOption:completionHandler:)
    #endif
    public func inquirePaymentOption(_ params: IAPInquirePaymentOptionParams, completionHandler: @escaping OptionHandler) {
        let (asked, handler) = (HandedOver(params), HandedOver(completionHandler))
        MainThread.soon { [self] in
            let prepared = prepare(asked.value)
            Task {
                do throws(IAPError) {
                    let option = try await ask(prepared)
                    handler.value(option, nil)
                } catch { handler.value(nil, error.nsError) }
            }
        }
    }

    /// As ``inquirePaymentOption(_:completionHandler:)``.
    @MainActor public func inquirePaymentOption(_ params: IAPInquirePaymentOptionParams) async throws(IAPError) -> IAPPaymentOption {
        try await ask(prepare(params))
    }

    private typealias Prepared = Result<(inquiry: OptionInquiry, address: URL, transport: any OptionTransport), IAPError>

    @MainActor private func prepare(_ params: IAPInquirePaymentOptionParams) -> Prepared {
        do throws(IAPError) {
            let inquiry = try OptionInquiry(params, for: settings())
            guard let address = hosts.address(of: inquiry.path) else {
                throw IAPError(.parameterIllegal, "no host is known for \(inquiry.path.environment.rawValue)")
            }
            guard let transport else { throw IAPError(.parameterIllegal, "the client has no transport") }
            return .success((inquiry, address, transport))
        } catch { return .failure(error) }
    }

    @MainActor private func ask(_ prepared: Prepared) async throws(IAPError) -> IAPPaymentOption {
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
    @MainActor private func fetch(_ address: URL, by transport: any OptionTransport) async throws(IAPError) -> OptionAnswer {
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
        let told = HandedOver(callback)
        MainThread.soon { [self] in show(paymentData) { if case .event(let event) = $0 { told.value(event) } } }
    }

    @MainActor func show(_ paymentData: String, listener: @escaping PaymentSheetSession.Listener) {
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
                reports: .init(
                    log: { [weak self] in self?.log($0, $1) }, leftScreen: { [weak self] in self?.leftScreen($0) },
                    alipayAsked: { [weak self] in self?.launches.add($0) },
                    alipayAnswered: { [weak self] in self?.answered($0, askedBy: $1) }))
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

    @MainActor private func leftScreen(_ sheet: PaymentSheetSession) {
        guard self.sheet === sheet else { return }
        self.sheet = nil
        NotificationCenter.default.post(name: .IAPPosterDidCloseSheetView, object: self)
    }

    // MARK: Coming back from the Alipay app

    /// Whether a URL by which the app was opened is a return from the Alipay app: it has ``IAPConfiguration/fromScheme`` and the host
    /// `safepay`, and
    /// ``alipaySDKSService`` is set.
    #if canImport(ObjectiveC)
        @objc(canProcessOrderWithPaymentResult:)
    #endif
    public func canProcessOrder(withPaymentResult resultUrl: URL) -> Bool { isReturn(resultUrl) }

    /// Hands such a URL to the Alipay SDK; any other is left alone.
    ///
    /// What the SDK says of it is told to the sheet whose order it names, or else to the one that went to Alipay last: a success or a
    /// failure then as ``PaymentSheetOutcome/AlipayWord/processing``, where another payment of this run could be meant.
    #if canImport(ObjectiveC)
        @objc(processOrderWithPaymentResult:)
    #endif
    public func processOrder(withPaymentResult resultUrl: URL) {
        MainThread.soon { [self] in
            guard isReturn(resultUrl), let alipay = alipaySDKSService else {
                return log(.returnRefused, ["scheme": resultUrl.scheme ?? ""])
            }
            alipay.processOrder(withPaymentResult: resultUrl) { @Sendable [weak self] result in
                let answer = AlipayAnswer(result)
                MainThread.soon { self?.answered(answer, askedBy: nil) }
            }
        }
    }

    @MainActor private func answered(_ answer: AlipayAnswer, askedBy sheet: PaymentSheetSession?) {
        if !launches.tell(answer, askedBy: sheet) { log(.returnRefused, ["reason": "it is of no payment that waits"]) }
    }

    private func isReturn(_ url: URL) -> Bool {
        guard alipaySDKSService != nil, let scheme = (try? settings())?.fromScheme else { return false }
        return url.scheme?.lowercased() == scheme.lowercased() && url.host?.lowercased() == "safepay"
    }
}
