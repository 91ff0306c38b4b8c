import ArgumentParser
import BillfoldDiagnosis
import BillfoldServer

/// What this program can run, each with its flags. A new capability takes three lines here, and no other process file.
struct Capabilities: ParsableArguments {
    @OptionGroup(title: "Card payments") var cardPayments: CardPaymentsCapability
    @OptionGroup(title: "Provisioning") var provisioning: ProvisioningCapability
    @OptionGroup(title: "Order gateway") var alipayGateway: AlipayGatewayCapability
    @OptionGroup(title: "Acquiring gateway") var alipayPlus: AlipayPlusCapability
    @OptionGroup(title: "Wallet") var wallet: WalletCapability

    @OptionGroup(title: "The sandbox's parties") var certificates: CertificatesParty
    @OptionGroup(title: "The sandbox's parties") var phone: PhoneParty
    @OptionGroup(title: "The sandbox's parties") var shop: ShopParty
    @OptionGroup(title: "The sandbox's parties") var bankApp: BankAppParty
    @OptionGroup(title: "The sandbox's parties") var alipayMerchant: AlipayMerchantParty
    @OptionGroup(title: "The sandbox's parties") var mobileWallets: MobileWalletsParty
    @OptionGroup(title: "The sandbox's parties") var acquirer: AcquirerParty
    @OptionGroup(title: "The sandbox's parties") var miniProgramAuthor: MiniProgramAuthorParty
    @OptionGroup(title: "The sandbox's parties") var superApp: SuperAppParty
    @OptionGroup(title: "The sandbox's parties") var unionPay: UnionPayParty
    @OptionGroup(title: "The sandbox's parties") var cardProcessor: CardProcessorParty
    @OptionGroup(title: "The sandbox's parties") var cardNetwork: CardNetworkParty
    @OptionGroup(title: "The sandbox's parties") var broker: BrokerParty
    @OptionGroup(title: "The sandbox's parties") var orderFaults: OrderFaultsParty

    /// As their flags say, in the order in which they begin.
    var all: [any Capability] {
        [
            cardPayments, provisioning, alipayGateway, alipayPlus, wallet, certificates, phone, shop, bankApp, alipayMerchant,
            mobileWallets, acquirer, miniProgramAuthor, superApp, unionPay, cardProcessor, cardNetwork, broker, orderFaults,
        ]
    }

    static let types: [any Capability.Type] = [
        CardPaymentsCapability.self, ProvisioningCapability.self, AlipayGatewayCapability.self, AlipayPlusCapability.self,
        WalletCapability.self, CertificatesParty.self, PhoneParty.self, ShopParty.self, BankAppParty.self, AlipayMerchantParty.self,
        MobileWalletsParty.self, AcquirerParty.self, MiniProgramAuthorParty.self, SuperAppParty.self, UnionPayParty.self,
        CardProcessorParty.self, CardNetworkParty.self, BrokerParty.self, OrderFaultsParty.self,
    ]

    /// The server whose store is the installation's: it keeps the console's operators too.
    static let mainServer = CardPaymentsCapability.self
    static let mainStore = StoreKind.cards

    static func roles(at place: CapabilityPlace) -> [ServerRole] { types.filter { $0.place == place }.map { $0.role } }
    static let roles = roles(at: .ours) + [.console] + roles(at: .sandbox)
    /// Those of a process that is told none.
    static func standardRoles(in mode: ServerMode) -> Set<ServerRole> { mode == .test ? Set(roles) : [mainServer.role, .console] }

    /// What the doctor examines with, at the console and on the command line.
    static func diagnosticians(of kinds: [any Capability.Type] = Capabilities.types, _ aids: DoctorAids) -> [any Diagnostician] {
        kinds.compactMap { $0 as? any ServerCapability.Type }.flatMap { $0.diagnosticians(aids) }
    }
}

extension StoreKinds {
    /// Those of every capability.
    static let known = StoreKinds(Capabilities.types.flatMap { $0.stores })
}
