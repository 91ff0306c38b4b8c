public import BillfoldDiagnosis
public import BillfoldJSON

/// `applyAuthCode`: the super app asks its own server for a code (mini-programs.md#steps, step 24).
///
/// The documents name the call and not its members: these are ours [I]. The user is the one of the app's own session and never a member.
public struct ApplyAuthCodeRequest: Sendable, Hashable {
    public static let path = "/v1/authorizations/applyAuthCode"

    public var appID: String
    public var authClientID: String
    public var scopes: [String]
    /// Of a consent that was given just now; nil where it was given before.
    public var referenceAgreementID: String?

    public init(appID: String, authClientID: String, scopes: [String], referenceAgreementID: String? = nil) {
        self.appID = appID
        self.authClientID = authClientID
        self.scopes = scopes
        self.referenceAgreementID = referenceAgreementID
    }

    /// Reads a body. `missing-field`, `malformed-field`; at most 32 scopes of 64 characters.
    public init(_ object: JSONObject) throws(MiniProgramError) {
        let reader = OpenAPIReader(object: object)
        appID = try reader.required("appId", maximum: 32)
        authClientID = try reader.required("authClientId", maximum: 128)
        referenceAgreementID = try reader.optional("referenceAgreementId", maximum: 128)
        guard let values = object["scopes"]?.array, (1...32).contains(values.count) else {
            throw MiniProgramError(code: .malformedField, reason: "scopes is not a list of 1 to 32")
        }
        scopes = []
        for value in values {
            guard let text = value.string, !text.isEmpty, text.utf8.count <= 64, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw MiniProgramError(code: .malformedField, reason: "scopes holds something other than a scope's name")
            }
            scopes.append(text)
        }
    }

    public var body: [UInt8] {
        var object = JSONObject([
            .init("appId", .string(appID)), .init("authClientId", .string(authClientID)),
            .init("scopes", .array(scopes.map { .string($0) })),
        ])
        object["referenceAgreementId"] = referenceAgreementID.map { .string($0) }
        return JSONWriter.write(object)
    }
}

/// What `applyAuthCode` answers: a code with what became of each scope, or the scopes that the user must agree to first.
public struct ApplyAuthCodeAnswer: Sendable {
    /// The code of a server that wants an agreement first: 2001 in the Wallet API.
    public static let pendingAgreement = OpenAPIResult("AUTH_PENDING_AGREEMENT", .failure, message: "the user must agree first")

    public var result: OpenAPIResult
    /// Single use.
    public var authCode: Secret<String>?
    public var successScopes: [String]
    public var errorScopes: [String: String]
    /// What the user must agree to, with ``pendingAgreement``.
    public var pendingScopes: [String]

    public init(
        result: OpenAPIResult, authCode: Secret<String>? = nil, successScopes: [String] = [], errorScopes: [String: String] = [:],
        pendingScopes: [String] = []
    ) {
        self.result = result
        self.authCode = authCode
        self.successScopes = successScopes
        self.errorScopes = errorScopes
        self.pendingScopes = pendingScopes
    }

    /// Reads an answer. `missing-field` for a success without a code.
    public init(_ object: JSONObject) throws(MiniProgramError) {
        result = try OpenAPIResult(object)
        successScopes = object["authSuccessScopes"]?.array?.compactMap(\.string) ?? []
        pendingScopes = object["pendingScopes"]?.array?.compactMap(\.string) ?? []
        errorScopes = [:]
        for member in object["authErrorScopes"]?.members ?? [] { errorScopes[member.key] = member.value.string }
        if result.resultStatus == .success { authCode = Secret(try OpenAPIReader(object: object).required("authCode", maximum: 128)) }
    }

    public var body: [UInt8] {
        var object = JSONObject([.init("result", result.json)])
        object["authCode"] = authCode.map { .string($0.reveal()) }
        object["authSuccessScopes"] = .array(successScopes.map { .string($0) })
        object["authErrorScopes"] = .object(JSONObject(errorScopes.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }))
        if !pendingScopes.isEmpty { object["pendingScopes"] = .array(pendingScopes.map { .string($0) }) }
        return JSONWriter.write(object)
    }
}

/// `revoke`: takes a user's agreement with a mini program back; codes and tokens under it end.
///
/// It exists in the older family of calls, and its shape for mini programs is not public: this one is ours [I].
public struct RevokeRequest: Sendable {
    public static let path = "/v1/authorizations/revoke"

    public var appID: String
    public var authClientID: String
    /// Of the user whose agreement it is; nil where the user's own session says who it is.
    public var accessToken: Secret<String>?

    public init(appID: String, authClientID: String, accessToken: Secret<String>? = nil) {
        self.appID = appID
        self.authClientID = authClientID
        self.accessToken = accessToken
    }

    /// Reads a body. `missing-field`, `malformed-field`.
    public init(_ object: JSONObject) throws(MiniProgramError) {
        let reader = OpenAPIReader(object: object)
        appID = try reader.required("appId", maximum: 32)
        authClientID = try reader.required("authClientId", maximum: 128)
        accessToken = try reader.optional("accessToken", maximum: 128).map { Secret($0) }
    }

    public var body: [UInt8] {
        JSONWriter.write(.texts(["appId": appID, "authClientId": authClientID, "accessToken": accessToken?.reveal()]))
    }
}
