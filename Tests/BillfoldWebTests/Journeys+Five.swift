import AlipayPlusServer
import AlipayServer
import BillfoldWeb
import CardPaymentsServer
import ProvisioningServer
import WalletServer

extension Journeys {
    /// As the program has them.
    static let five = Journeys([.acceptApplePay, .provisionCard, .expressOrder, .paymentSheet, .miniProgram])
}
