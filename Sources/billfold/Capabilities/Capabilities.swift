import ArgumentParser
import BillfoldServer

/// What this program can run, each with its flags. A new capability takes three lines here, and no other process file.
struct Capabilities: ParsableArguments {
    @OptionGroup(title: "Card payments") var cardPayments: CardPaymentsCapability
    @OptionGroup(title: "Provisioning") var provisioning: ProvisioningCapability
    @OptionGroup(title: "Order gateway") var alipayGateway: AlipayGatewayCapability
    @OptionGroup(title: "Acquiring gateway") var alipayPlus: AlipayPlusCapability
    @OptionGroup(title: "Wallet") var wallet: WalletCapability

    @OptionGroup(title: "The sandbox's parties") var certificates: CertificatesParty
    @OptionGroup var phone: PhoneParty
    @OptionGroup var shop: ShopParty
    @OptionGroup var bankApp: BankAppParty
    @OptionGroup var alipayMerchant: AlipayMerchantParty
    @OptionGroup var mobileWallets: MobileWalletsParty
    @OptionGroup var acquirer: AcquirerParty
    @OptionGroup var miniProgramAuthor: MiniProgramAuthorParty
    @OptionGroup var superApp: SuperAppParty
    @OptionGroup var unionPay: UnionPayParty
    @OptionGroup var cardProcessor: CardProcessorParty
    @OptionGroup var cardNetwork: CardNetworkParty
    @OptionGroup var broker: BrokerParty

    /// As their flags say, in the order in which they begin.
    var all: [any Capability] {
        [
            cardPayments, provisioning, alipayGateway, alipayPlus, wallet, certificates, phone, shop, bankApp, alipayMerchant,
            mobileWallets, acquirer, miniProgramAuthor, superApp, unionPay, cardProcessor, cardNetwork, broker,
        ]
    }

    static let types: [any Capability.Type] = [
        CardPaymentsCapability.self, ProvisioningCapability.self, AlipayGatewayCapability.self, AlipayPlusCapability.self,
        WalletCapability.self, CertificatesParty.self, PhoneParty.self, ShopParty.self, BankAppParty.self, AlipayMerchantParty.self,
        MobileWalletsParty.self, AcquirerParty.self, MiniProgramAuthorParty.self, SuperAppParty.self, UnionPayParty.self,
        CardProcessorParty.self, CardNetworkParty.self, BrokerParty.self,
    ]

    /// The store of the installation, which keeps the console's operators too.
    static let mainStore = StoreKind.cards

    static func roles(at place: CapabilityPlace) -> [ServerRole] { types.filter { $0.place == place }.map { $0.role } }
    static let roles = roles(at: .ours) + [.console] + roles(at: .sandbox)
}

extension StoreKinds {
    /// Those of every capability.
    static let known = StoreKinds(Capabilities.types.flatMap { $0.stores })
}
