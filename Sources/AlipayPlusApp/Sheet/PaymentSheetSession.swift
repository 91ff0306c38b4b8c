import AlipayPlusValues
import BillfoldConcurrency
import Foundation

/// One sheet, from the call that shows it to its end: at most one did-show, one choice, one end, whatever the page says and however
/// often.
@MainActor
final class PaymentSheetSession {
    enum Step {
        case event(IAPPaymentSheetEvent)
        /// The last step; once.
        case ended(PaymentSheetOutcome)
    }

    /// Who is told what beside the listeners.
    struct Reports {
        var log: @MainActor (IAPLogName, [String: String]) -> Void
        var leftScreen: @MainActor (PaymentSheetSession) -> Void
        /// An order was handed to the Alipay SDK: called just before.
        var alipayAsked: @MainActor (PaymentSheetSession) -> Void
        /// The Alipay SDK answered what this session asked. Whose payment it is, the client decides.
        var alipayAnswered: @MainActor (AlipayAnswer, PaymentSheetSession) -> Void
    }

    typealias Listener = @MainActor (Step) -> Void

    private enum Phase: Hashable {
        case loading, shown
        /// A wallet was chosen: the page is gone, and nothing it says counts any more.
        case leaving
        case ended
    }

    let data: PaymentData
    private let settings: Settings
    private let surroundings: any SheetSurroundings
    private let wait: Waiting
    private let reports: Reports
    private var alipay: (any AlipaySDKServiceProtocol)?
    private var listeners: [Listener] = []
    private var phase = Phase.loading
    private var deadline: Task<Void, Never>?
    /// The merchant's number of the order that went to the Alipay SDK; nil where it names none that can be read.
    private(set) var orderNumber: String?

    init(
        _ data: PaymentData, settings: Settings, in surroundings: any SheetSurroundings, wait: @escaping Waiting, reports: Reports
    ) {
        self.data = data
        self.settings = settings
        self.surroundings = surroundings
        self.wait = wait
        self.reports = reports
    }

    /// A listener that comes late hears first that the sheet is on the screen.
    func add(_ listener: @escaping Listener) {
        listeners.append(listener)
        guard phase == .shown else { return }
        Task { listener(.event(IAPPaymentSheetEvent(name: IAPPaymentSheetEventDidShow))) }
    }

    func show(alipay: (any AlipaySDKServiceProtocol)?, limit: Duration) {
        self.alipay = alipay
        guard let request = SheetRequest(data, language: settings.language, installedWallets: installedWallets) else {
            Task { fail(IAPError(.parameterIllegal, "the payment data's sheetUrl takes no query")) }
            return
        }
        deadline = Task { [weak self, wait] in
            do { try await wait(limit) } catch { return }
            self?.hear(.unreachable("the sheet did not say in time that it is drawn"))
        }
        surroundings.showSheet(request) { [weak self] in self?.hear($0) }
    }

    private var installedWallets: [String] {
        data.wallets.filter { wallet in
            guard let link = wallet.links.schemeURL, let url = URL(string: link) else { return false }
            return OpenableAddress.isCustomScheme(url) && surroundings.canOpen(url)
        }.map(\.name)
    }

    // MARK: The page

    private func hear(_ news: SheetNews) {
        guard phase == .loading || phase == .shown else { return }
        switch news {
        case .closed: take(.cancelled)
        case .unreachable(let reason): fail(IAPError(.invalidNetwork, reason))
        case .message(let text):
            do throws(AlipayPlusError) { take(try SheetMessage(text)) } catch { note(.sheetMessageRefused, ["reason": error.reason]) }
        }
    }

    private func take(_ message: SheetMessage) {
        switch message {
        case .shown:
            guard phase == .loading else { return }
            phase = .shown
            deadline?.cancel()
            tell(IAPPaymentSheetEventDidShow)
        case .selected(let selection):
            phase = .leaving
            takeDown()
            tell(IAPPaymentSheetEventDidSelectWalletAndPay, selection.walletName)
            Task { await leave(selection) }
        case .cancelled:
            takeDown()
            tell(IAPPaymentSheetEventUserDidCancel)
            end(.cancelled)
        case .failed(let reason): fail(IAPError(.systemError, "the sheet failed: \(reason)"))
        }
    }

    private func takeDown() {
        deadline?.cancel()
        surroundings.closeSheet()
        reports.leftScreen(self)
    }

    // MARK: The wallet

    private func leave(_ selection: SheetMessage.Selection) async {
        if let order = selection.orderString, let alipay, let scheme = settings.fromScheme {
            orderNumber = AlipayAnswer.orderNumber(inOrder: order)
            reports.alipayAsked(self)
            // From whatever thread: the block is the app's to call.
            return alipay.payOrder(order, fromScheme: scheme) { @Sendable result in
                let answer = AlipayAnswer(result)
                MainThread.soon { self.reports.alipayAnswered(answer, self) }
            }
        }
        let links = selection.links.isEmpty ? data[selection.walletName]?.links ?? WalletLinks() : selection.links
        let opening = WalletOpening(surroundings: surroundings, environment: data.environment, wait: wait) { name, way in
            self.note(name, ["wallet": selection.walletName, "way": way.rawValue])
        }
        guard let way = await opening.open(links) else {
            return fail(IAPError(.systemError, "no link of \(selection.walletName) leads into the wallet or to its page"))
        }
        note(.walletOpened, ["wallet": selection.walletName, "way": way.rawValue])
        end(.left(wallet: selection.walletName, way: way))
    }

    /// Whether its person is on the way, and nothing is known of the end.
    var isWaiting: Bool { phase == .leaving }

    /// What the linked Alipay SDK says; the first time counts.
    func alipayEnded(_ word: PaymentSheetOutcome.AlipayWord) {
        guard isWaiting else { return }
        tell(word.eventName)
        end(.alipay(word))
    }

    // MARK: The end

    private func fail(_ error: IAPError) {
        guard phase != .ended else { return }
        if phase != .leaving { takeDown() }
        tell(IAPPaymentSheetEventThrowException, error.description)
        end(.failed(error))
    }

    private func tell(_ name: String, _ message: String? = nil) {
        note(.sheetEvent, message.map { ["event": name, "message": $0] } ?? ["event": name])
        let event = IAPPaymentSheetEvent(name: name, message: message)
        for listener in listeners { listener(.event(event)) }
    }

    private func end(_ outcome: PaymentSheetOutcome) {
        phase = .ended
        let told = listeners
        listeners = []
        for listener in told { listener(.ended(outcome)) }
    }

    private func note(_ name: IAPLogName, _ facts: [String: String]) {
        reports.log(name, facts.merging(["paymentId": data.paymentID]) { first, _ in first })
    }
}
