public import AlipayPlusValues

/// Begins an authorisation; the person grants it at the address that is answered. Idempotent by `authClientId` and `referenceAgreementId`.
public struct PrepareRequest: AlipayPlusRequest {
    public typealias Answer = PrepareAnswer
    public static let api = "authorizations/prepare"

    /// Equals the merchant's `referenceMerchantId`.
    public var authClientId: String
    /// At most 256 characters.
    public var authClientName: String
    public var authClientDisplayName: String?
    public var scopes: [String]?
    /// The wallet appends `authCode` and `authState` to it.
    public var authRedirectUrl: String?
    public var authState: String?
    public var referenceAgreementId: String?
    /// Which wallet is asked [I].
    public var paymentMethodType: PaymentMethodType?
    public var terminalType: TerminalType?
    public var osType: OSType?

    public init(
        authClientId: String, authClientName: String, authClientDisplayName: String? = nil, scopes: [String]? = nil,
        authRedirectUrl: String? = nil, authState: String? = nil, referenceAgreementId: String? = nil,
        paymentMethodType: PaymentMethodType? = nil, terminalType: TerminalType? = nil, osType: OSType? = nil
    ) {
        self.authClientId = authClientId
        self.authClientName = authClientName
        self.authClientDisplayName = authClientDisplayName
        self.scopes = scopes
        self.authRedirectUrl = authRedirectUrl
        self.authState = authState
        self.referenceAgreementId = referenceAgreementId
        self.paymentMethodType = paymentMethodType
        self.terminalType = terminalType
        self.osType = osType
    }
}

/// Where the person grants it.
public struct PrepareAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var authUrl: String?
    /// An https page; on a desktop what the QR code carries.
    public var normalUrl: String?
    public var schemeUrl: String?
    public var applinkUrl: String?
    public var appIdentifier: String?

    public init(
        result: AlipayPlusResult, authUrl: String? = nil, normalUrl: String? = nil, schemeUrl: String? = nil,
        applinkUrl: String? = nil, appIdentifier: String? = nil
    ) {
        self.result = result
        self.authUrl = authUrl
        self.normalUrl = normalUrl
        self.schemeUrl = schemeUrl
        self.applinkUrl = applinkUrl
        self.appIdentifier = appIdentifier
    }

    public init(result: AlipayPlusResult) { self.init(result: result, authUrl: nil) }
}

/// Turns an authorisation code, or a refresh token, into an access token.
public struct ApplyTokenRequest: AlipayPlusRequest {
    public typealias Answer = ApplyTokenAnswer
    public static let api = "authorizations/applyToken"

    public var grantType: GrantType
    public var authClientId: String
    public var authCode: String?
    public var refreshToken: String?

    public init(grantType: GrantType, authClientId: String, authCode: String? = nil, refreshToken: String? = nil) {
        self.grantType = grantType
        self.authClientId = authClientId
        self.authCode = authCode
        self.refreshToken = refreshToken
    }
}

/// The tokens are secrets.
public struct ApplyTokenAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var accessToken: String?
    public var accessTokenExpiryTime: AlipayPlusTime?
    public var refreshToken: String?
    public var refreshTokenExpiryTime: AlipayPlusTime?
    public var customerId: String?
    public var pspId: String?
    public var acquirerId: String?

    public init(
        result: AlipayPlusResult, accessToken: String? = nil, accessTokenExpiryTime: AlipayPlusTime? = nil,
        refreshToken: String? = nil, refreshTokenExpiryTime: AlipayPlusTime? = nil, customerId: String? = nil,
        pspId: String? = nil, acquirerId: String? = nil
    ) {
        self.result = result
        self.accessToken = accessToken
        self.accessTokenExpiryTime = accessTokenExpiryTime
        self.refreshToken = refreshToken
        self.refreshTokenExpiryTime = refreshTokenExpiryTime
        self.customerId = customerId
        self.pspId = pspId
        self.acquirerId = acquirerId
    }

    public init(result: AlipayPlusResult) { self.init(result: result, accessToken: nil) }
}

/// Takes an access token back. Idempotent by the token.
public struct CancelTokenRequest: AlipayPlusRequest {
    public typealias Answer = PlainAnswer
    public static let api = "authorizations/cancelToken"

    public var accessToken: String

    public init(accessToken: String) {
        self.accessToken = accessToken
    }
}
