import BillfoldServer
import Hummingbird

/// What the bank's own systems tell and ask with the bank's key, under `/bank/v1`.
struct BankRoutes: Sendable {
    let context: TokenContext

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        BankCardRoutes(context: context).add(to: router)
        CardEventRoutes(context: context).add(to: router)
        CardImportRoutes(context: context).add(to: router)
        BankTokenRoutes(context: context).add(to: router)
        BankSwitchRoutes(context: context).add(to: router)
        BankCustomerRoutes(context: context).add(to: router)
    }
}
