import Foundation
import PassKitSimulator
import Testing
import UnionPayApp

private let number = "201603131105018491158"

/// The sheet of Apple Pay behind `UPAPayPlugin`, with UnionPay in a few lines.
@MainActor @Suite struct SheetLauncherTests {
    private struct Source: PaymentTokenSource {
        func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
            IssuedToken(paymentData: Data("{}".utf8), transactionIdentifier: "ab")
        }
    }

    private struct Lost: Error {}

    @MainActor private final class Listener: NSObject, UPAPayPluginDelegate {
        var results: [(status: UPPaymentResultStatus, text: String?)] = []
        /// What the plug-in asked UnionPay.
        var asked: [String] = []

        func upaPayPluginResult(_ payResult: UPPayResult!) {
            results.append((payResult.paymentResultStatus, payResult.errorDescription))
        }
    }

    private static func json(_ text: String, status: Int = 200) -> PluginAnswer { PluginAnswer(status: status, body: Data(text.utf8)) }

    private static let open = json(#"{"number":"\#(number)","amount":"33.05","currency":"CNY","description":"tea","state":"open"}"#)

    private static func device(cards: Bool = true) -> SimulatedDevice {
        let card = WalletCard(id: "card", issuer: "Bank of Examples", suffix: "6222", network: .chinaUnionPay, type: .debit)
        return SimulatedDevice(.init(cards: cards ? [card] : []), tokenSource: Source())
    }

    /// - Parameters:
    ///   - verdict: The answer to the token; nil: it is lost.
    ///   - label: What the sheet's one line says.
    private func pay(
        on device: SimulatedDevice, facts: PluginAnswer = open, verdict: PluginAnswer? = nil, label: String = "tea",
        _ action: PaymentSheet.Action = .authorize
    ) async throws -> Listener {
        let (control, listener) = (UPPaymentControl(), Listener())
        control.launcher = SheetLauncher(
            connection: { question in
                await MainActor.run { listener.asked.append("\(question.method) \(question.path)") }
                guard question.method == "POST" else { return facts }
                guard let verdict else { throw Lost() }
                return verdict
            },
            onPresent: { controller in
                Task { @MainActor in
                    await controller.sheet?.settle()
                    #expect(controller.sheet?.state.items.map(\.label) == [label])
                    #expect(controller.sheet?.state.total == "33.05")
                    controller.sheet?.perform(action)
                }
            })
        SimulatedDevice.$current.withValue(device) {
            UPPaymentControl.$current.withValue(control) {
                #expect(
                    UPAPayPlugin.startPay(
                        number, mode: "01", viewController: UIViewController(), delegate: listener, andAPMechantID: "merchant.example"))
            }
        }
        for _ in 0..<500 where listener.results.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(listener.results.count == 1)
        #expect(device.faults.isEmpty)
        return listener
    }

    private static let whole = ["GET /\(number)/order?mode=01", "POST /\(number)/apple-pay"]

    @Test func aSheetIsPaid() async throws {
        let device = Self.device()
        let listener = try await pay(on: device, verdict: Self.json(#"{"word":"success"}"#))
        #expect(listener.results.first?.status == .success && listener.results.first?.text == nil)
        #expect(listener.asked == Self.whole)
        await Task.yield()
        #expect(device.presentedSheet == nil)
    }

    @Test(arguments: [
        (200, #"{"word":"fail","text":"可用余额不足[1000051]"}"#), (422, #"{"error":{"code":"x","reason":"可用余额不足[1000051]"}}"#),
    ])
    func aRefusalIsToldWithItsText(status: Int, body: String) async throws {
        let listener = try await pay(on: Self.device(), verdict: Self.json(body, status: status))
        #expect(listener.results.first?.status == .failure && listener.results.first?.text == "可用余额不足[1000051]")
    }

    /// Neither word would be true.
    @Test(
        arguments: [nil, (200, "{}"), (200, #"{"word":"cancel"}"#), (200, #"{"word":"done"}"#), (500, "{}"), (502, "")] as [(Int, String)?])
    func aTokenWithoutAnAnswerIsUnknown(answer: (Int, String)?) async throws {
        let listener = try await pay(on: Self.device(), verdict: answer.map { Self.json($0.1, status: $0.0) })
        #expect(listener.results.first?.status == .unknownCancel)
        #expect(listener.asked == Self.whole)
    }

    @Test func leavingSendsNothing() async throws {
        let listener = try await pay(on: Self.device(), .cancel)
        #expect(listener.results.first?.status == .cancel)
        #expect(listener.asked.count == 1)
    }

    @Test(
        arguments: [
            (200, #"{"amount":"33.05","currency":"CNY","state":"over","text":"late[1]"}"#, .failure, "late[1]"),
            (200, #"{"amount":"33.05","currency":"CNY","state":"paid"}"#, .success, nil),
            (200, #"{"amount":"33.050","currency":"CNY","state":"open"}"#, .failure, nil),
            (200, #"{"number":"000000000000000000001","amount":"0.01","currency":"CNY","state":"open"}"#, .failure, nil),
            (404, #"{"error":{"code":"x","reason":"none[1]"}}"#, .failure, "none[1]"), (503, "", .failure, nil),
        ] as [(Int, String, UPPaymentResultStatus, String?)]
    )
    func whatCannotBePaidHasNoSheet(status: Int, facts: String, told: UPPaymentResultStatus, text: String?) async throws {
        let device = Self.device()
        let listener = try await pay(on: device, facts: Self.json(facts, status: status))
        #expect(listener.results.first?.status == told && listener.results.first?.text == text)
        #expect(listener.asked.count == 1 && device.presentedSheet == nil)
    }

    @Test(arguments: [#""description":" ","#, ""]) func anOrderWithoutATextIsUnionPays(description: String) async throws {
        let facts = Self.json(#"{"amount":"33.05",\#(description)"currency":"CNY","state":"open"}"#)
        let listener = try await pay(on: Self.device(), facts: facts, verdict: Self.json(#"{"word":"success"}"#), label: "UnionPay")
        #expect(listener.results.map(\.status) == [.success])
    }

    /// The sheet gives up while the token is on its way: the app is told to ask, and nobody answers a sheet that is gone.
    @Test func aSheetThatGoesFirstIsUnknown() async throws {
        let card = WalletCard(id: "card", issuer: "Bank of Examples", suffix: "6222", network: .chinaUnionPay, type: .debit)
        let device = SimulatedDevice(
            .init(cards: [card]), tokenSource: Source(), timer: DeviceTimer { _ in try await Task.sleep(for: .milliseconds(20)) })
        let (control, listener) = (UPPaymentControl(), Listener())
        let (answered, answers) = AsyncStream.makeStream(of: Void.self)
        let (facts, verdict) = (Self.open, Self.json(#"{"word":"success"}"#))
        control.launcher = SheetLauncher(
            connection: { question in
                guard question.method == "POST" else { return facts }
                for _ in 0..<500 where await listener.results.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
                defer { answers.finish() }
                return verdict
            },
            onPresent: { controller in
                Task { @MainActor in
                    await controller.sheet?.settle()
                    controller.sheet?.perform(.authorize)
                }
            })
        SimulatedDevice.$current.withValue(device) {
            UPPaymentControl.$current.withValue(control) {
                #expect(
                    UPAPayPlugin.startPay(
                        number, mode: "01", viewController: UIViewController(), delegate: listener, andAPMechantID: "merchant.example"))
            }
        }
        for await _ in answered {}
        try await Task.sleep(for: .milliseconds(50))
        #expect(listener.results.map(\.status) == [.unknownCancel])
        #expect(device.faults.map(\.code) == [.unanswered])
    }

    @Test func withoutACardNothingIsShown() {
        let (control, listener) = (UPPaymentControl(), Listener())
        control.launcher = SheetLauncher(connection: { _ in throw Lost() })
        SimulatedDevice.$current.withValue(Self.device(cards: false)) {
            UPPaymentControl.$current.withValue(control) {
                #expect(
                    !UPAPayPlugin.startPay(
                        number, mode: "01", viewController: UIViewController(), delegate: listener, andAPMechantID: "merchant.example"))
            }
        }
    }

    @Test func otherWaysAreLeftToOthers() {
        let (control, others) = (UPPaymentControl(), SimulatedLauncher())
        control.launcher = SheetLauncher(connection: { _ in throw Lost() }, others: others)
        #expect(control.isPaymentAppInstalled())
        #expect(control.startPay(number, fromScheme: "shop", mode: "01", viewController: UIViewController()))
        #expect(others.shown.map(\.way) == [.control])
        control.launcher = SheetLauncher(connection: { _ in throw Lost() })
        #expect(!control.isPaymentAppInstalled())
        #expect(!control.startPay(number, fromScheme: "shop", mode: "01", viewController: UIViewController()))
    }

    // MARK: A customer on the page

    @Test(arguments: ScriptedPageLauncher.Act.allCases) func aCustomerActsOnThePage(act: ScriptedPageLauncher.Act) async throws {
        let (opened, continuation) = AsyncStream.makeStream(of: URL.self)
        let (asked, questions) = AsyncStream.makeStream(of: String.self)
        let control = UPPaymentControl()
        control.launcher = ScriptedPageLauncher(act: act) { question in
            questions.yield("\(question.method) \(question.path) \(String(decoding: question.body ?? Data(), as: UTF8.self))")
            return question.method == "GET"
                ? PluginAnswer(status: 200) : PluginAnswer(status: 303, location: "shop+tea://uppayresult?code=cancel&data=")
        } opener: {
            continuation.yield($0)
        }
        #expect(control.startPay(number, fromScheme: "shop+tea", mode: "01", viewController: UIViewController()))
        for await url in opened {
            #expect(PluginResult(url)?.word == .cancel)
            break
        }
        questions.finish()
        var all: [String] = []
        for await each in asked { all.append(each) }
        #expect(all == ["GET /\(number)?scheme=shop+tea&mode=01 ", "POST /\(number)/\(act.rawValue) scheme=shop%2Btea"])
    }

    /// Nothing comes back: as where the app is killed, its server has to be asked.
    @Test(arguments: [
        (404, 303, "shop://uppayresult?code=success&data="), (200, 200, "shop://uppayresult?code=success&data="),
        (200, 303, "other://uppayresult"),
    ])
    func aPageThatLeadsNowhereOpensNothing(shown: Int, acted: Int, location: String) async throws {
        let (opened, continuation) = AsyncStream.makeStream(of: URL.self)
        let control = UPPaymentControl()
        control.launcher = ScriptedPageLauncher { question in
            question.method == "GET" ? PluginAnswer(status: shown) : PluginAnswer(status: acted, location: location)
        } opener: {
            continuation.yield($0)
        }
        #expect(control.startPay(number, fromScheme: "shop", mode: "01", viewController: UIViewController()))
        try await Task.sleep(for: .milliseconds(100))
        continuation.finish()
        for await url in opened { Issue.record("opened \(url)") }
    }
}
