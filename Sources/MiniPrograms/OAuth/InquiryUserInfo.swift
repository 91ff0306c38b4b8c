public import BillfoldDiagnosis
public import BillfoldJSON

/// `inquiryUserInfo`: what a token's scopes allow to be told of a user (mini-programs.md#user-information [D]).
public struct InquiryUserInfoRequest: Sendable {
    public static let path = "/v2/users/inquiryUserInfo"
    /// The older name, whose client is optional.
    public static let olderPath = "/v1/customers/user/inquiryUserInfoByAccessToken"

    public var appID: String?
    public var authClientID: String?
    public var accessToken: Secret<String>
    public var customerBelongsTo: String?
    public var extendInfo: String?

    public init(
        appID: String?, authClientID: String?, accessToken: Secret<String>, customerBelongsTo: String? = nil, extendInfo: String? = nil
    ) {
        self.appID = appID
        self.authClientID = authClientID
        self.accessToken = accessToken
        self.customerBelongsTo = customerBelongsTo
        self.extendInfo = extendInfo
    }

    /// Reads a body. `missing-field`, `malformed-field`.
    public init(_ object: JSONObject, path: String = path) throws(MiniProgramError) {
        let reader = OpenAPIReader(object: object)
        accessToken = Secret(try reader.required("accessToken", maximum: 128))
        appID = path == Self.path ? try reader.required("appId", maximum: 32) : nil
        authClientID =
            path == Self.path ? try reader.required("authClientId", maximum: 128) : try reader.optional("authClientId", maximum: 128)
        customerBelongsTo = try reader.optional("customerBelongsTo", maximum: 64)
        extendInfo = try reader.optional("extendInfo", maximum: 4_096)
    }

    public var body: [UInt8] {
        JSONWriter.write(
            .texts([
                "appId": appID, "authClientId": authClientID, "accessToken": accessToken.reveal(), "customerBelongsTo": customerBelongsTo,
                "extendInfo": extendInfo,
            ]))
    }
}

/// The members of `userInfo` and the scope that each needs. What is not granted is left out, not emptied.
///
/// The names of the members follow the scopes; the documents list them in part [I].
public enum UserInfoMember: String, Sendable, CaseIterable {
    case userId
    case loginId
    case hashLoginId
    case nickName
    case userName
    case avatar
    case gender
    case birthDate
    case nationality
    case contactInfo

    /// The scopes of which any one allows it. `auth_user` is the umbrella of the basic profile.
    public var scopes: Set<String> {
        switch self {
        case .userId: ["auth_base", "USER_ID", "auth_user", "BASE_USER_INFO", "USER_INFO"]
        case .loginId: ["USER_LOGIN_ID"]
        case .hashLoginId: ["HASH_LOGIN_ID"]
        case .nickName: ["USER_NICKNAME", "auth_user", "USER_INFO"]
        case .userName: ["USER_NAME"]
        case .avatar: ["USER_AVATAR", "auth_user", "USER_INFO"]
        case .gender: ["USER_GENDER", "auth_user", "USER_INFO"]
        case .birthDate: ["USER_BIRTHDAY"]
        case .nationality: ["USER_NATIONALITY"]
        case .contactInfo: ["USER_CONTACTINFO"]
        }
    }

    /// What of a user's data the granted scopes allow.
    public static func filtered(_ info: [UserInfoMember: String], by scopes: Set<String>) -> [UserInfoMember: String] {
        info.filter { !$0.key.scopes.isDisjoint(with: scopes) }
    }
}

/// What `inquiryUserInfo` answers.
public struct InquiryUserInfoAnswer: Sendable {
    public var result: OpenAPIResult
    public var userInfo: [UserInfoMember: String]

    public init(result: OpenAPIResult, userInfo: [UserInfoMember: String] = [:]) {
        self.result = result
        self.userInfo = userInfo
    }

    /// Reads an answer; members that are not known are passed over.
    public init(_ object: JSONObject) throws(MiniProgramError) {
        result = try OpenAPIResult(object)
        userInfo = [:]
        for member in object["userInfo"]?.members ?? [] {
            if let known = UserInfoMember(rawValue: member.key), let text = member.value.string { userInfo[known] = text }
        }
    }

    public var body: [UInt8] {
        var object = JSONObject([.init("result", result.json)])
        if result.resultStatus == .success {
            let members = UserInfoMember.allCases.compactMap { member in
                userInfo[member].map { JSONObject.Member(member.rawValue, .string($0)) }
            }
            object["userInfo"] = .object(JSONObject(members))
        }
        return JSONWriter.write(object)
    }
}

/// `prepare`: a merchant's server asks for the address at which a user signs a contract for automatic debit (mini-programs.md#contract
/// [D]).
public struct PrepareRequest: Sendable, Hashable {
    public static let path = "/v1/authorizations/prepare"
    /// The only scope it takes.
    public static let scope = "AGREEMENT_PAY"

    /// What the user agrees to, as the contract says it.
    public var contractDescription: String

    public init(contractDescription: String) { self.contractDescription = contractDescription }

    /// Reads a body. `missing-field`, `malformed-field`.
    public init(_ object: JSONObject) throws(MiniProgramError) {
        let reader = OpenAPIReader(object: object)
        // A text or a list of one: the document writes the one, and its sample the other [I].
        let listed = object["scopes"]?.array?.compactMap(\.string)
        let scopes = if let listed { listed } else { [try reader.required("scopes", maximum: 256)] }
        guard scopes == [Self.scope] else { throw MiniProgramError(code: .malformedField, reason: "scopes is not \(Self.scope)") }
        let info = try reader.required("extendInfo", maximum: 4_096)
        guard let inner = try? JSONReader.readObject(Array(info.utf8)), let text = inner["contractDesc"]?.string, !text.isEmpty else {
            throw MiniProgramError(code: .malformedField, reason: "extendInfo is no JSON with contractDesc")
        }
        contractDescription = text
    }

    public var body: [UInt8] {
        let info = JSONWriter.write(.texts(["contractDesc": contractDescription]))
        return JSONWriter.write(.texts(["scopes": Self.scope, "extendInfo": String(decoding: info, as: UTF8.self)]))
    }

    /// An answer's body: the address goes to the mini program, which hands it to `my.signContract`.
    public static func answer(_ result: OpenAPIResult, authURL: String? = nil) -> [UInt8] {
        var object = JSONObject([.init("result", result.json)])
        object["authUrl"] = authURL.map { .string($0) }
        return JSONWriter.write(object)
    }
}
