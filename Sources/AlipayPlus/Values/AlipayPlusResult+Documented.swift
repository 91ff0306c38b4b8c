public import AlipayPlusValues

// The documented result codes and their statuses (alipay-plus.md#result-codes [D]); the texts are our own.
extension AlipayPlusResult {
    public static let success = Self(resultCode: "SUCCESS", resultStatus: .success, resultMessage: "done")
    public static let paymentInProcess = Self(
        resultCode: "PAYMENT_IN_PROCESS", resultStatus: .unknown, resultMessage: "the payment is in process")
    public static let unknownException = Self(
        resultCode: "UNKNOWN_EXCEPTION", resultStatus: .unknown, resultMessage: "what happened is not known; send the same request again")
    public static let requestTrafficExceedLimit = Self(
        resultCode: "REQUEST_TRAFFIC_EXCEED_LIMIT", resultStatus: .unknown,
        resultMessage: "too many requests; send the same one again later")
    public static let paramIllegal = Self(
        resultCode: "PARAM_ILLEGAL", resultStatus: .failure, resultMessage: "a member is missing or breaks its format")
    public static let mediaTypeNotAcceptable = Self(
        resultCode: "MEDIA_TYPE_NOT_ACCEPTABLE", resultStatus: .failure, resultMessage: "the body is not application/json")
    public static let methodNotSupported = Self(
        resultCode: "METHOD_NOT_SUPPORTED", resultStatus: .failure, resultMessage: "the method is not POST")
    public static let noInterfaceDef = Self(resultCode: "NO_INTERFACE_DEF", resultStatus: .failure, resultMessage: "there is no such API")
    public static let invalidSignature = Self(
        resultCode: "INVALID_SIGNATURE", resultStatus: .failure, resultMessage: "the signature does not fit the request")
    public static let invalidClient = Self(resultCode: "INVALID_CLIENT", resultStatus: .failure, resultMessage: "the client is not known")
    public static let keyNotFound = Self(
        resultCode: "KEY_NOT_FOUND", resultStatus: .failure, resultMessage: "the key version is not registered")
    public static let accessDenied = Self(
        resultCode: "ACCESS_DENIED", resultStatus: .failure, resultMessage: "the client may not call this")
    public static let invalidContract = Self(
        resultCode: "INVALID_CONTRACT", resultStatus: .failure, resultMessage: "the contract does not cover this")
    public static let merchantNotRegistered = Self(
        resultCode: "MERCHANT_NOT_REGISTERED", resultStatus: .failure, resultMessage: "the merchant is not registered")
    public static let invalidMerchantStatus = Self(
        resultCode: "INVALID_MERCHANT_STATUS", resultStatus: .failure, resultMessage: "the merchant may not trade now")
    public static let merchantKYBNotQualified = Self(
        resultCode: "MERCHANT_KYB_NOT_QUALIFIED", resultStatus: .failure, resultMessage: "the merchant's identification is not complete")
    public static let repeatRequestInconsistent = Self(
        resultCode: "REPEAT_REQ_INCONSISTENT", resultStatus: .failure, resultMessage: "this request id was used with other values")
    public static let currencyNotSupport = Self(
        resultCode: "CURRENCY_NOT_SUPPORT", resultStatus: .failure, resultMessage: "the currency is not supported")
    public static let businessNotSupport = Self(
        resultCode: "BUSINESS_NOT_SUPPORT", resultStatus: .failure, resultMessage: "this business is not supported")
    public static let regulationRestriction = Self(
        resultCode: "REGULATION_RESTRICTION", resultStatus: .failure, resultMessage: "a regulation forbids this")
    public static let unavailablePaymentMethod = Self(
        resultCode: "UNAVAILABLE_PAYMENT_METHOD", resultStatus: .failure, resultMessage: "the payment method is not available")
    public static let invalidCode = Self(
        resultCode: "INVALID_CODE", resultStatus: .failure, resultMessage: "the code is not valid; ask for a fresh one")
    public static let expiredCode = Self(
        resultCode: "EXPIRED_CODE", resultStatus: .failure, resultMessage: "the code has expired; ask for a fresh one")
    public static let invalidToken = Self(resultCode: "INVALID_TOKEN", resultStatus: .failure, resultMessage: "the token is not valid")
    public static let expiredAccessToken = Self(
        resultCode: "EXPIRED_ACCESS_TOKEN", resultStatus: .failure, resultMessage: "the access token has expired; refresh it")
    public static let orderIsClosed = Self(resultCode: "ORDER_IS_CLOSED", resultStatus: .failure, resultMessage: "the payment is closed")
    public static let orderNotExist = Self(resultCode: "ORDER_NOT_EXIST", resultStatus: .failure, resultMessage: "there is no such payment")
    public static let paymentAmountExceedLimit = Self(
        resultCode: "PAYMENT_AMOUNT_EXCEED_LIMIT", resultStatus: .failure, resultMessage: "the amount is above the limit")
    public static let paymentCountExceedLimit = Self(
        resultCode: "PAYMENT_COUNT_EXCEED_LIMIT", resultStatus: .failure, resultMessage: "too many payments")
    public static let userAmountExceedLimit = Self(
        resultCode: "USER_AMOUNT_EXCEED_LIMIT", resultStatus: .failure, resultMessage: "the amount is above the person's limit")
    public static let userBalanceNotEnough = Self(
        resultCode: "USER_BALANCE_NOT_ENOUGH", resultStatus: .failure, resultMessage: "the person's balance is not enough")
    public static let userKYCNotQualified = Self(
        resultCode: "USER_KYC_NOT_QUALIFIED", resultStatus: .failure, resultMessage: "the person's identification is not complete")
    public static let userNotExist = Self(resultCode: "USER_NOT_EXIST", resultStatus: .failure, resultMessage: "there is no such person")
    public static let userStatusAbnormal = Self(
        resultCode: "USER_STATUS_ABNORMAL", resultStatus: .failure, resultMessage: "the person's account may not pay now")
    public static let userPaymentVerificationFailed = Self(
        resultCode: "USER_PAYMENT_VERIFICATION_FAILED", resultStatus: .failure, resultMessage: "the person was not verified")
    public static let riskReject = Self(resultCode: "RISK_REJECT", resultStatus: .failure, resultMessage: "refused for risk")
    public static let processFail = Self(resultCode: "PROCESS_FAIL", resultStatus: .failure, resultMessage: "the payment failed")
    public static let cancelWindowExceed = Self(
        resultCode: "CANCEL_WINDOW_EXCEED", resultStatus: .failure, resultMessage: "it is too late to cancel; refund instead")
    public static let refundAmountExceed = Self(
        resultCode: "REFUND_AMOUNT_EXCEED", resultStatus: .failure, resultMessage: "more than what is left of the payment")
    public static let refundWindowExceed = Self(
        resultCode: "REFUND_WINDOW_EXCEED", resultStatus: .failure, resultMessage: "it is too late to refund")

    /// Every documented result, in the order of alipay-plus.md#result-codes.
    public static let documented: [AlipayPlusResult] = [
        success, paymentInProcess, unknownException, requestTrafficExceedLimit, paramIllegal, mediaTypeNotAcceptable,
        methodNotSupported, noInterfaceDef, invalidSignature, invalidClient, keyNotFound, accessDenied, invalidContract,
        merchantNotRegistered, invalidMerchantStatus, merchantKYBNotQualified, repeatRequestInconsistent, currencyNotSupport,
        businessNotSupport, regulationRestriction, unavailablePaymentMethod, invalidCode, expiredCode, invalidToken,
        expiredAccessToken, orderIsClosed, orderNotExist, paymentAmountExceedLimit, paymentCountExceedLimit,
        userAmountExceedLimit, userBalanceNotEnough, userKYCNotQualified, userNotExist, userStatusAbnormal,
        userPaymentVerificationFailed, riskReject, processFail, cancelWindowExceed, refundAmountExceed, refundWindowExceed,
    ]

    /// How a request that cannot be read, believed or followed is refused. The text names the member, never a value of it.
    public init(refusing error: AlipayPlusError) {
        let result: AlipayPlusResult =
            switch error.code {
            case .missingClientID: .invalidClient
            case .missingSignature, .malformedSignature, .unsupportedAlgorithm, .signatureMismatch: .invalidSignature
            case .unknownKeyVersion: .keyNotFound
            case .unusableKey: .unknownException
            case .unknownCurrency: .currencyNotSupport
            case .malformedCode: .invalidCode
            default: .paramIllegal
            }
        self = result.saying(error.reason)
    }
}
