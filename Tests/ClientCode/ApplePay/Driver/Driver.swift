import Foundation
import PassKitSimulator

/// Each outcome is a line; the first that differs ends the program.
@MainActor
func check(_ outcome: String, _ holds: Bool, _ detail: @autoclosure () -> Any = "") {
    guard holds else {
        print("differs: \(outcome) \(detail())")
        exit(1)
    }
    print(outcome)
}

/// Returns once something holds; ends the program when it does not come about.
@MainActor
func until(_ outcome: String, _ holds: @MainActor () -> Bool) async {
    for _ in 0..<2_000 where !holds() {
        do { try await Task.sleep(for: .milliseconds(5)) } catch { break }
    }
    check(outcome, holds())
}

/// Answers what a test says, on a queue of its own; a service without an answer says nothing at all.
final class TestService: OrderService, @unchecked Sendable {
    enum Answer {
        case result(ChargeResult)
        case unknown, silence, twice
    }

    private let lock = NSLock()
    private var answers: [Answer]
    private var sent: [Data] = []

    init(_ answers: Answer...) { self.answers = answers }

    var tokens: [Data] { lock.withLock { sent } }

    func charge(order: String, token: Data, completion: @escaping @Sendable (ChargeResult?) -> Void) {
        let answer = lock.withLock {
            sent.append(token)
            return answers.removeFirst()
        }
        DispatchQueue.global().async {
            switch answer {
            case .result(let result): completion(result)
            case .unknown: completion(nil)
            case .silence: break
            case .twice:
                completion(.charged)
                completion(.charged)
            }
        }
    }
}

struct TestWallet: PaymentTokenSource {
    static let token = Data("{ \"version\" : \"EC_v1\" }\n".utf8)

    func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
        IssuedToken(paymentData: Self.token, transactionIdentifier: "A1B2")
    }
}

enum Phones {
    static let unionPay = WalletCard(
        id: "unionpay", issuer: "Example Bank", suffix: "1234", network: .chinaUnionPay, type: .debit,
        pinRule: .init(currencyCode: "CNY", limit: 1_000))
    static let visa = WalletCard(
        id: "visa", issuer: "Example Bank", suffix: "4242", network: .visa, type: .credit,
        billingContact: SimulatedContact(
            id: "bill", givenName: "Ann", familyName: "Example", street: "1 Example Street", city: "Albany", state: "NY",
            country: "United States", countryCode: "US"))
    static let shanghai = SimulatedContact(
        id: "shanghai", givenName: "Li", familyName: "Wei", emailAddress: "li.wei@example.com", phoneNumber: "+86 21 5550 0100",
        street: "100 Century Avenue", city: "Shanghai", postalCode: "200120", country: "China", countryCode: "CN")
    static let lisbon = SimulatedContact(
        id: "lisbon", givenName: "Li", familyName: "Wei", emailAddress: "li.wei@example.com", phoneNumber: "+351 210 000 000",
        street: "Rua de Exemplo 1", city: "Lisboa", country: "Portugal", countryCode: "PT")
    static let albany = SimulatedContact(
        id: "albany", givenName: "Ann", familyName: "Example", emailAddress: "ann@example.com", phoneNumber: "+1 518 555 0100",
        street: "1 Example Street", city: "Albany", state: "NY", country: "United States", countryCode: "US")

    /// - Parameter patience: How long the phone waits for a callback in place of its thirty seconds.
    static func phone(
        cards: [WalletCard] = [unionPay, visa], contacts: [SimulatedContact] = [shanghai, lisbon], patience: Duration? = nil
    ) -> SimulatedDevice {
        SimulatedDevice(
            .init(cards: cards, contacts: contacts), tokenSource: TestWallet(),
            timer: patience.map { patience in DeviceTimer { _ in try await Task.sleep(for: patience) } } ?? .continuous,
            onPaymentSetup: { phone in phone.update { $0.cards.append(unionPay) } })
    }
}

@main
struct Driver {
    @MainActor
    static func main() async {
        await CartDriver.drive()
        await FestivalDriver.drive()
        await OtherShopsDriver.drive()
        await LaterShopsDriver.drive()
    }
}
