import ApplePayForging
import BillfoldSandbox
import BillfoldTrace
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PassKitSimulator
import PaymentCrypto
import Testing
import UnionPay
import UnionPayApp

/// A pushed order that is paid by Apple Pay: the plug-in by its published names against the sandbox's UnionPay.
@Suite(.serialized) struct SheetJourneyTests {
    private static let merchant = "merchant.example.tea"

    @MainActor private final class Listener: NSObject, UPAPayPluginDelegate {
        var results: [(status: UPPaymentResultStatus, text: String?)] = []

        func upaPayPluginResult(_ payResult: UPPayResult!) {
            results.append((payResult.paymentResultStatus, payResult.errorDescription))
        }
    }

    /// A phone with one UnionPay card, whose wallet has a certificate for the app's merchant identifier.
    private static func phone() async throws -> SimulatedDevice {
        var generator = SystemRandomNumberGenerator()
        let now = Date(timeIntervalSince1970: 1_795_176_000)
        let authority = try WalletAuthority(at: now, rsaLeafKey: RSAPrivateKey(bits: 2048), using: &generator)
        let directory = MerchantDirectory(authority: authority, clock: { now }, generator: generator)
        let request = try CertificateRequest(
            subject: CertificateRequest.merchantSubject(identifier: merchant), signer: P256PrivateKey(using: &generator))
        _ = try await directory.issue(request, kind: .processing)
        let wallet = WalletSimulator(directory: directory, clock: { now }, generator: generator)
        return SimulatedDevice(
            .init(cards: [WalletCard(id: "card", issuer: "Bank of Examples", suffix: "6222", network: .chinaUnionPay, type: .debit)]),
            tokenSource: wallet)
    }

    /// Starts the plug-in with a number, does on the sheet what is asked, and returns what the delegate was told.
    @MainActor private static func start(
        _ number: String, on device: SimulatedDevice, at harness: UnionPayGatewayHarness, _ action: PaymentSheet.Action
    ) async throws -> [(status: UPPaymentResultStatus, text: String?)] {
        let (control, listener) = (UPPaymentControl(), Listener())
        control.launcher = SheetLauncher(
            connection: { question in
                let answer = try await harness.client.execute(
                    uri: "/unionpay/pay\(question.path)", method: #require(HTTPRequest.Method(rawValue: question.method)),
                    headers: question.contentType.map { [.contentType: $0] } ?? [:], body: question.body.map { ByteBuffer(bytes: $0) })
                return PluginAnswer(status: answer.status.code, body: Data(answer.body.readableBytesView))
            },
            onPresent: { controller in
                Task { @MainActor in
                    await controller.sheet?.settle()
                    #expect(controller.sheet?.state.total.hasPrefix("33") == true)
                    controller.sheet?.perform(action)
                }
            })
        SimulatedDevice.$current.withValue(device) {
            UPPaymentControl.$current.withValue(control) {
                #expect(
                    UPAPayPlugin.startPay(
                        number, mode: "01", viewController: UIViewController(), delegate: listener, andAPMechantID: merchant))
            }
        }
        for _ in 0..<500 where listener.results.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        #expect(control.faults.isEmpty)
        return listener.results
    }

    @Test func anOrderIsPaidByTheSheetAndNotified() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            let number = try await harness.number("ORDER0001", key: key)
            let device = try await Self.phone()
            let results = try await Self.start(number.description, on: device, at: harness, .authorize)
            #expect(results.map(\.status) == [.success] && results.first?.text == nil)
            #expect(try await harness.verdict(key) == .paid)
            #expect(try await harness.gateway.notifier.deliverDue() == 1)
            let titles = harness.sink.entries.filter { $0.from == "phone" || $0.to == "phone" }.map { "\($0.kind) \($0.title)" }
            #expect(
                titles == ["request client order", "response client order", "request pay in client", "response pay in client"], "\(titles)")
            #expect(harness.sink.entries.allSatisfy { $0.problem == nil })
            #expect(device.faults.isEmpty)
        }
    }

    @Test func whoeverLeavesHasPaidNothing() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let number = try await harness.number("ORDER0001")
            let results = try await Self.start(number.description, on: Self.phone(), at: harness, .cancel)
            #expect(results.map(\.status) == [.cancel])
            #expect(try await harness.verdict(harness.key("ORDER0001")) == .notPerformed(.noSuchTransaction))
        }
    }

    @Test func whatIsOverOrNobodysIsNotShown() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let number = try await harness.number("ORDER0001")
            let device = try await Self.phone()
            let stranger = try await Self.start("000000000000000000001", on: device, at: harness, .authorize)
            #expect(stranger.map(\.status) == [.failure] && stranger.first?.text?.hasSuffix("[9100034]") == true)
            harness.clock.advance(.seconds(901))
            let late = try await Self.start(number.description, on: device, at: harness, .authorize)
            #expect(late.map(\.status) == [.failure] && late.first?.text?.hasSuffix("[9100036]") == true)
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
        }
    }

    @Test(arguments: [
        (#"{"mode":"01","merchantIdentifier":"m","paymentData":"e30="}"#, 422, "token-malformed"),
        (#"{"mode":"00","merchantIdentifier":"m","paymentData":"e30="}"#, 400, "mode-refused"),
        (#"{"mode":"01","merchantIdentifier":"","paymentData":"e30="}"#, 400, "merchant-missing"),
        (#"{"mode":"01","merchantIdentifier":"m","paymentData":"e30=","more":1}"#, 400, "body-malformed"),
        (#"{"mode":"01"}"#, 400, "body-malformed"),
    ])
    func whatIsNoTokenPaysNothing(body: String, status: Int, code: String) async throws {
        try await UnionPayGatewayHarness.run { harness in
            let number = try await harness.number("ORDER0001")
            let answer = try await harness.client.execute(
                uri: "/unionpay/pay/\(number)/apple-pay", method: .post, body: ByteBuffer(string: body))
            #expect(answer.status.code == status && String(buffer: answer.body).contains(#""code":"\#(code)""#))
            #expect(try await harness.verdict(harness.key("ORDER0001")) == .notPerformed(.noSuchTransaction))
        }
    }

    /// A shop that is a page has no scheme that a browser follows.
    @Test func theSchemeOfAPageLeadsToThePage() async throws {
        var configuration = UnionPayGateway.Configuration()
        // The test's client follows what leads to HTTP.
        configuration.pages["page-shop"] = "elsewhere://shop/result"
        try await UnionPayGatewayHarness.run(configuration: configuration) { harness in
            let number = try await harness.number("ORDER0001")
            for (scheme, place) in [
                ("page-shop", "elsewhere://shop/result?code=cancel&data="), ("app", "app://uppayresult?code=cancel&data="),
            ] {
                let answer = try await harness.client.execute(
                    uri: "/unionpay/pay/\(number)/cancel", method: .post, body: ByteBuffer(string: "scheme=\(scheme)"))
                #expect(answer.headers[.location] == place)
            }
        }
    }
}
