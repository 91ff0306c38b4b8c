public import BillfoldDiagnosis
public import BillfoldJSON

/// `applyToken`: a merchant's server turns a code, or a refresh token, into tokens (mini-programs.md#token-exchange [D]).
///
/// Version 1 names no mini program but `referenceClientId`; version 2 names app and client. Lengths are those of the documents.
public struct ApplyTokenRequest: Sendable {
    /// Which of the two calls it is.
    public enum Version: String, Sendable, Hashable, CaseIterable {
        case v1
        case v2

        public var path: String { "/\(rawValue)/authorizations/applyToken" }

        public init?(path: String) {
            guard let found = Self.allCases.first(where: { $0.path == path }) else { return nil }
            self = found
        }
    }

    /// What tokens are given for.
    public enum Grant: Sendable {
        /// A code, used once.
        case authorizationCode(Secret<String>)
        case refreshToken(Secret<String>)

        /// As on the wire.
        public var type: String {
            switch self {
            case .authorizationCode: "AUTHORIZATION_CODE"
            case .refreshToken: "REFRESH_TOKEN"
            }
        }
    }

    public var version: Version
    /// Version 2: the mini program.
    public var appID: String?
    /// Version 2: the merchant's client.
    public var authClientID: String?
    /// Version 1: the next level's client; in mini programs the app's id.
    public var referenceClientID: String?
    public var grant: Grant
    /// The wallet, such as GCASH or ALIPAY_HK: required where one platform serves several.
    public var customerBelongsTo: String?
    /// JSON text.
    public var extendInfo: String?

    public init(
        version: Version = .v2, appID: String? = nil, authClientID: String? = nil, referenceClientID: String? = nil, grant: Grant,
        customerBelongsTo: String? = nil, extendInfo: String? = nil
    ) {
        self.version = version
        self.appID = appID
        self.authClientID = authClientID
        self.referenceClientID = referenceClientID
        self.grant = grant
        self.customerBelongsTo = customerBelongsTo
        self.extendInfo = extendInfo
    }

    /// Reads a body. `missing-field`, `malformed-field`.
    ///
    /// With several wallets `customerBelongsTo` is required in version 2.
    public init(_ object: JSONObject, version: Version, severalWallets: Bool = false) throws(MiniProgramError) {
        let reader = OpenAPIReader(object: object)
        self.version = version
        if version == .v2 {
            appID = try reader.required("appId", maximum: 32)
            authClientID = try reader.required("authClientId", maximum: 128)
            customerBelongsTo =
                severalWallets
                ? try reader.required("customerBelongsTo", maximum: 64) : try reader.optional("customerBelongsTo", maximum: 64)
        } else {
            referenceClientID = try reader.optional("referenceClientId", maximum: 128)
        }
        extendInfo = try reader.optional("extendInfo", maximum: 4_096)
        switch try reader.required("grantType", maximum: 32) {
        case "AUTHORIZATION_CODE": grant = .authorizationCode(Secret(try reader.required("authCode", maximum: 128)))
        case "REFRESH_TOKEN": grant = .refreshToken(Secret(try reader.required("refreshToken", maximum: 128)))
        default: throw MiniProgramError(code: .malformedField, reason: "grantType is neither AUTHORIZATION_CODE nor REFRESH_TOKEN")
        }
    }

    public var body: [UInt8] {
        var (code, token): (String?, String?) = (nil, nil)
        switch grant {
        case .authorizationCode(let secret): code = secret.reveal()
        case .refreshToken(let secret): token = secret.reveal()
        }
        return JSONWriter.write(
            .texts([
                "appId": appID, "authClientId": authClientID, "referenceClientId": referenceClientID, "grantType": grant.type,
                "authCode": code, "refreshToken": token, "customerBelongsTo": customerBelongsTo, "extendInfo": extendInfo,
            ]))
    }
}

/// What `applyToken` answers. The access token stays on the merchant's server; only the newest refresh token works.
public struct ApplyTokenAnswer: Sendable {
    /// What a merchant's server gets for a user.
    public struct Tokens: Sendable {
        public var accessToken: Secret<String>
        /// ISO 8601 with an offset, as written.
        public var accessTokenExpiryTime: String
        public var refreshToken: Secret<String>
        public var refreshTokenExpiryTime: String
        /// The user's id at that wallet.
        public var customerID: String
        public var extendInfo: String?

        public init(
            accessToken: Secret<String>, accessTokenExpiryTime: String, refreshToken: Secret<String>, refreshTokenExpiryTime: String,
            customerID: String, extendInfo: String? = nil
        ) {
            self.accessToken = accessToken
            self.accessTokenExpiryTime = accessTokenExpiryTime
            self.refreshToken = refreshToken
            self.refreshTokenExpiryTime = refreshTokenExpiryTime
            self.customerID = customerID
            self.extendInfo = extendInfo
        }
    }

    public var result: OpenAPIResult
    /// Nil unless the result is a success.
    public var tokens: Tokens?

    public init(result: OpenAPIResult, tokens: Tokens? = nil) {
        self.result = result
        self.tokens = tokens
    }

    /// Reads an answer. `missing-field` for a success without its tokens.
    public init(_ object: JSONObject) throws(MiniProgramError) {
        result = try OpenAPIResult(object)
        guard result.resultStatus == .success else { return }
        let reader = OpenAPIReader(object: object)
        tokens = Tokens(
            accessToken: Secret(try reader.required("accessToken", maximum: 128)),
            accessTokenExpiryTime: try reader.required("accessTokenExpiryTime", maximum: 64),
            refreshToken: Secret(try reader.required("refreshToken", maximum: 128)),
            refreshTokenExpiryTime: try reader.required("refreshTokenExpiryTime", maximum: 64),
            customerID: try reader.required("customerId", maximum: 64), extendInfo: try reader.optional("extendInfo", maximum: 4_096))
    }

    public var body: [UInt8] {
        var object = JSONObject([.init("result", result.json)])
        if let tokens {
            object.members +=
                JSONValue.texts([
                    "accessToken": tokens.accessToken.reveal(), "accessTokenExpiryTime": tokens.accessTokenExpiryTime,
                    "refreshToken": tokens.refreshToken.reveal(), "refreshTokenExpiryTime": tokens.refreshTokenExpiryTime,
                    "customerId": tokens.customerID, "extendInfo": tokens.extendInfo,
                ]).members ?? []
        }
        return JSONWriter.write(object)
    }
}
