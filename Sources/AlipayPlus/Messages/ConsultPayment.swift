/// Asks which wallets could pay (alipay-plus.md#consultpayment [D]).
public struct ConsultPaymentRequest: AlipayPlusRequest {
    public typealias Answer = ConsultPaymentAnswer
    public static let api = "payments/consultPayment"

    /// Its value is `0` while nobody knows it.
    public var paymentAmount: WireAmount
    public var userRegion: String?
    public var paymentFactor: WirePaymentFactor?
    public var settlementStrategy: WireSettlementStrategy?
    public var allowedPspRegions: [String]?
    public var merchant: WireMerchant?
    public var referenceUserId: String?
    public var env: WireEnv?

    public init(
        paymentAmount: WireAmount, userRegion: String? = nil, paymentFactor: WirePaymentFactor? = nil,
        settlementStrategy: WireSettlementStrategy? = nil, allowedPspRegions: [String]? = nil, merchant: WireMerchant? = nil,
        referenceUserId: String? = nil, env: WireEnv? = nil
    ) {
        self.paymentAmount = paymentAmount
        self.userRegion = userRegion
        self.paymentFactor = paymentFactor
        self.settlementStrategy = settlementStrategy
        self.allowedPspRegions = allowedPspRegions
        self.merchant = merchant
        self.referenceUserId = referenceUserId
        self.env = env
    }
}

/// The methods that could pay, and why others could not.
public struct ConsultPaymentAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var paymentOptions: [WirePaymentOption]?

    public init(result: AlipayPlusResult, paymentOptions: [WirePaymentOption]? = nil) {
        self.result = result
        self.paymentOptions = paymentOptions
    }

    public init(result: AlipayPlusResult) { self.init(result: result, paymentOptions: nil) }
}

/// One entry at the merchant: Alipay+ as a whole, or one wallet.
public struct WirePaymentOption: WireMessage {
    public var paymentMethodType: PaymentMethodType
    /// `WALLET`.
    public var paymentMethodCategory: String?
    public var enabled: Bool?
    public var preferred: Bool?
    public var disableReason: String?
    public var brandName: String?
    public var logo: WireLogo?
    /// In the person's language; the best offer alone.
    public var promoNames: [String]?
    public var paymentOptionDetail: WirePaymentOptionDetail?

    public init(
        paymentMethodType: PaymentMethodType, paymentMethodCategory: String? = nil, enabled: Bool? = nil, preferred: Bool? = nil,
        disableReason: String? = nil, brandName: String? = nil, logo: WireLogo? = nil, promoNames: [String]? = nil,
        paymentOptionDetail: WirePaymentOptionDetail? = nil
    ) {
        self.paymentMethodType = paymentMethodType
        self.paymentMethodCategory = paymentMethodCategory
        self.enabled = enabled
        self.preferred = preferred
        self.disableReason = disableReason
        self.brandName = brandName
        self.logo = logo
        self.promoNames = promoNames
        self.paymentOptionDetail = paymentOptionDetail
    }
}

/// A mark and where its picture lies.
public struct WireLogo: WireMessage {
    public var logoName: String?
    public var logoUrl: String?

    public init(logoName: String? = nil, logoUrl: String? = nil) {
        self.logoName = logoName
        self.logoUrl = logoUrl
    }
}

/// What stands behind an entry.
public struct WirePaymentOptionDetail: WireMessage {
    /// `CONNECT_WALLET`.
    public var paymentOptionDetailType: String?
    public var connectWallet: WireConnectWallet?

    public init(paymentOptionDetailType: String? = nil, connectWallet: WireConnectWallet? = nil) {
        self.paymentOptionDetailType = paymentOptionDetailType
        self.connectWallet = connectWallet
    }
}

/// The wallets behind Alipay+.
public struct WireConnectWallet: WireMessage {
    public var supportWallets: [WireSupportedWallet]?

    public init(supportWallets: [WireSupportedWallet]? = nil) {
        self.supportWallets = supportWallets
    }
}

/// One wallet that could pay.
public struct WireSupportedWallet: WireMessage {
    /// The enumeration, `ALIPAY_HK`.
    public var walletName: String?
    /// For people.
    public var walletBrandName: String?
    public var walletLogo: WireLogo?
    public var walletRegion: String?
    public var walletFeature: WireWalletFeature?

    public init(
        walletName: String? = nil, walletBrandName: String? = nil, walletLogo: WireLogo? = nil, walletRegion: String? = nil,
        walletFeature: WireWalletFeature? = nil
    ) {
        self.walletName = walletName
        self.walletBrandName = walletBrandName
        self.walletLogo = walletLogo
        self.walletRegion = walletRegion
        self.walletFeature = walletFeature
    }
}

/// What a wallet can do.
public struct WireWalletFeature: WireMessage {
    public var supportCodeScan: Bool?
    public var supportCashierRedirection: Bool?

    public init(supportCodeScan: Bool? = nil, supportCashierRedirection: Bool? = nil) {
        self.supportCodeScan = supportCodeScan
        self.supportCashierRedirection = supportCashierRedirection
    }
}
