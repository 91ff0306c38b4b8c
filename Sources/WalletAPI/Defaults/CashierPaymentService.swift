/// What is paid: exactly one of the three forms (mini-programs.md#paymentservice [D]).
public enum CashierOrder: Sendable, Hashable {
    case tradeNumber(String)
    /// A merchant's signed order; the cashier checks it.
    case orderString(String)
    /// A page of the cashier.
    case paymentURL(WebAddress)

    /// Reads a request. Throws 1002 for none or several of the three, for a number over 64 characters, and for an address that is no
    /// https one.
    /// - Parameters:
    ///   - request: As the container hands it over.
    ///   - allowsLoopback: Whether a page may lie on this machine, over http: for tests.
    public init(_ request: IAPWalletPaymentRequest, allowsLoopback: Bool = false) throws(WalletFailure) {
        let given = [("tradeNO", request.tradeNO), ("orderStr", request.orderStr), ("paymentUrl", request.paymentUrl)]
            .filter { $0.1?.isEmpty == false }
        guard given.count == 1, let value = given[0].1 else {
            let names = given.isEmpty ? "none" : given.map(\.0).joined(separator: " and ")
            throw WalletFailure(.appServiceError, "one of tradeNO, orderStr and paymentUrl is needed, and there is \(names)")
        }
        switch given[0].0 {
        case "tradeNO":
            guard value.unicodeScalars.count <= 64 else { throw WalletFailure(.appServiceError, "tradeNO has more than 64 characters") }
            self = .tradeNumber(value)
        case "orderStr": self = .orderString(value)
        default:
            guard let address = WebAddress(value), address.scheme == "https" || (allowsLoopback && address.isLoopback) else {
                throw WalletFailure(.appServiceError, "paymentUrl \(WebAddress.problem(of: value) ?? "is no https address")")
            }
            self = .paymentURL(address)
        }
    }
}

/// The wallet's cashier, as ``CashierPaymentService`` needs it.
public protocol WalletCashier: Sendable {
    /// Lets the person pay. It throws only where nothing was sent to the wallet's server that could move money, as ``WalletFailure``;
    /// anything else that is thrown counts as an unknown end.
    func pays(_ order: CashierOrder, in context: IAPWalletAPIContext?) async throws -> PaymentEnding
}

/// A PaymentService over a cashier. It never says "failed" of what it does not know.
// Unchecked only because its superclass is: everything it holds is immutable and sendable.
public final class CashierPaymentService: IAPWalletPaymentServiceSignature, @unchecked Sendable {
    private let cashier: any WalletCashier
    private let allowsLoopback: Bool

    /// - Parameters:
    ///   - cashier: Lets the person pay.
    ///   - allowsLoopback: Whether the cashier's page may lie on this machine, over http: for tests.
    public init(cashier: any WalletCashier, allowsLoopback: Bool = false) {
        self.cashier = cashier
        self.allowsLoopback = allowsLoopback
        super.init()
    }

    public override func pay(
        with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletPaymentResult) -> Void
    ) {
        let order: CashierOrder
        do throws(WalletFailure) {
            order = try CashierOrder(request, allowsLoopback: allowsLoopback)
        } catch {
            return callback(IAPWalletPaymentResult().failing(error.code, error.reason))
        }
        Task {
            let result = IAPWalletPaymentResult()
            do {
                let ending = try await cashier.pays(order, in: context)
                result.resultCode = ending.rawValue
                if !ending.isSettled { result.resultMessage = "not final: ask the server" }
            } catch let failure as WalletFailure {
                result.fail(failure.code, failure.reason)
            } catch {
                result.resultCode = PaymentEnding.unknown.rawValue
                result.resultMessage = "not final: ask the server"
            }
            callback(result)
        }
    }
}
