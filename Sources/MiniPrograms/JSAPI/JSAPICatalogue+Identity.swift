extension JSAPICatalogue {
    /// Payment and identity (mini-programs.md#payment-and-identity).
    static let identity: [JSAPI] = [
        JSAPI(
            "getAuthCode", takes: ["scopes": .texts], also: ["scopes": ["scope"]],
            answers: ["authCode", "authErrorScopes", "authSuccessScopes"],
            errors: [
                3: "no result", 11: "the person cancelled", 12: "network", 13: "timed out", 14: "timed out", 15: "system",
                101: "not verified",
            ], permission: .feature("auth"), handler: .wallet),
        JSAPI(
            "tradePay", takes: ["tradeNO": .string, "orderStr": .string, "paymentUrl": .string, "extendInfo": .any],
            answers: ["resultCode", "memo", "result", "callbackUrl", "extendInfo"], permission: .feature("payment"), handler: .wallet),
        JSAPI(
            "signContract", takes: ["signStr": .string, "authUrl": .string], answers: ["resultCode", "memo", "result"],
            permission: .feature("agreement-pay"), handler: .wallet),
        JSAPI(
            "getOpenUserInfo", takes: ["withMobile": .boolean], answers: ["response"], permission: .feature("user-info"),
            surfaces: [.script],
            handler: .wallet),
        JSAPI(
            "getAuthUserInfo", answers: ["nickName", "avatar"], permission: .feature("user-info"), surfaces: [.script], handler: .wallet),
        JSAPI(
            "getPhoneNumber", answers: ["response"], permission: .feature("phone-number"), surfaces: [.script], handler: .wallet),
        JSAPI(
            "scan", takes: ["type": .string, "scanType": .texts, "hideAlbum": .boolean],
            answers: ["code", "qrCode", "barCode", "scanType", "result", "imageChannel", "rawData"],
            errors: [10: "the person cancelled", 11: "nothing was recognised"], permission: .feature("scan"), handler: .wallet),
        JSAPI(
            "navigateToBizScene", takes: ["sceneCode": .string, "param": .object],
            also: ["sceneCode": ["bizScene", "bizSceneCode"], "param": ["params"]], answers: ["extendedInfo"],
            permission: .feature("biz-scene"), handler: .wallet),
        JSAPI(
            "openURL", needs: ["url": .string], also: ["url": ["scheme"]], permission: .feature("open-url"), handler: .wallet,
            bareArgument: "url"),
        JSAPI(
            "navigateToMiniProgram", needs: ["appId": .string],
            takes: ["path": .string, "extraData": .object, "envVersion": .string, "query": .object],
            permission: .feature("navigate-mini-program"), handler: .container),
        JSAPI("navigateBackMiniProgram", takes: ["extraData": .object], handler: .container),
        JSAPI("getAppIdSync", answers: ["appId"], handler: .container, isSynchronous: true),
        JSAPI("getSiteInfo", answers: ["siteName"], handler: .wallet),
        JSAPI("getEnv", answers: ["miniprogram"], handler: .container),
    ]

    /// Requests, files and sockets (mini-programs.md#request). Every address is held against the mini program's list of domains.
    static let network: [JSAPI] = [
        JSAPI(
            "request", needs: ["url": .string],
            takes: [
                "headers": .object, "method": .string, "data": .any, "timeout": .numeric, "dataType": .string, "enableCookie": .boolean,
            ], also: ["headers": ["header"]], answers: ["data", "status", "headers"], errors: requestErrors, handler: .network),
        JSAPI(
            "uploadFile", needs: ["url": .string, "filePath": .string, "fileName": .string],
            takes: ["fileType": .string, "header": .object, "formData": .object], also: ["fileName": ["name"], "header": ["headers"]],
            answers: ["data", "statusCode", "header"], errors: [11: "no such file", 12: "failed", 13: "not allowed"], handler: .network),
        JSAPI(
            "downloadFile", needs: ["url": .string], takes: ["header": .object], also: ["header": ["headers"]], answers: ["apFilePath"],
            errors: [12: "failed", 13: "not allowed"], handler: .network),
        JSAPI(
            "connectSocket", needs: ["url": .string], takes: ["data": .object, "header": .object], errors: [11: "domain not listed"],
            surfaces: [.script], handler: .network),
        JSAPI("sendSocketMessage", needs: ["data": .any], takes: ["isBuffer": .boolean], surfaces: [.script], handler: .network),
        JSAPI("closeSocket", takes: ["code": .number, "reason": .string], surfaces: [.script], handler: .network),
    ]

    /// The codes of `request` (mini-programs.md#request). That a status of 400 and above fails with 19 is inferred from its name [I].
    static let requestErrors: [Int: String] = [
        11: "domain not listed", 12: "network", 13: "timed out", 14: "the answer cannot be decoded", 15: "a parameter cannot be encoded",
        19: "HTTP status", 20: "stopped or throttled", 23: "the proxy failed",
    ]
}
