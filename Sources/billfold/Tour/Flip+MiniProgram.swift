extension Flip {
    /// The messages of the journey "run a mini program in a super app" whose damage shows. Beside what ``Flip`` leaves out:
    /// - What the author publishes with, and what it asks about a user: it asks again.
    /// - The list of mini programs: its names are for people, and what is opened comes signed.
    /// - Payments and their notifications: the journey "pay an express order" has them.
    static let miniProgram = [
        Flip(
            "holder:phone", .holderToPhone, .answer, "POST", "/super-app/phones", .value(after: #""session":""#),
            "the phone that is handed out"),
        Flip(
            "holder:login", .holderToPhone, .request, "POST", "/taps", .value(after: #""value":""#), "who logs in to the super app"),
        Flip(
            "wallet:session", .everyoneToWallet, .answer, "POST", "/v1/users/sessions", .value(after: #""session":""#),
            "the user's session at the wallet"),
        Flip(
            "wallet:platform-key", .everyoneToWallet, .answer, "GET", "/mini-programs/v1/keys",
            .blob(after: "BEGIN PUBLIC KEY", distance: 80),
            "the key that metadata and packages are verified with"),
        Flip(
            "wallet:metadata", .everyoneToWallet, .answer, "GET", "/metadata", .value(after: #""name":""#),
            "the signed metadata of a mini program"),
        Flip(
            "wallet:package", .everyoneToWallet, .answer, "GET", "/mini-programs/v1/packages/*", .blob(after: "PK", distance: 120),
            "the signed package of a mini program"),
        Flip(
            "wallet:scopes", .everyoneToWallet, .answer, "POST", "/v1/authorizations/applyAuthCode", .value(after: #""resultCode":""#),
            "whether the user has to agree first"),
        Flip(
            "wallet:agreement", .everyoneToWallet, .request, "POST", "/v1/authorizations/agreements", .value(after: #""scopes":[""#),
            "what the user agreed to"),
        Flip(
            "super-app:code", .superAppToAuthor, .request, "POST", "/author/v1/sessions", .value(after: #""authCode":""#),
            "the code on its way to the author's server"),
        Flip(
            "author:token", .everyoneToWallet, .request, "POST", "/v2/authorizations/applyToken", .value(after: #""authCode":""#),
            "the code in the author's signed call"),
        Flip(
            "wallet:token", .everyoneToWallet, .answer, "POST", "/v2/authorizations/applyToken", .value(after: #""accessToken":""#),
            "the token in the wallet's signed answer"),
        Flip(
            "author:order", .superAppToAuthor, .answer, "POST", "/author/v1/orders", .blob(after: "biz_content", distance: 60),
            "the signed order on its way to the mini program"),
        Flip(
            "author:state", .superAppToAuthor, .answer, "POST", "/state", .value(after: #""state":""#),
            "whether the author's server says paid"),
        Flip(
            "holder:way-back", .holderToPhone, .request, "POST", "/open", .value(after: #""url":""#),
            "the address that leads back from the wallet"),
        Flip(
            "wallet:closing", .everyoneToWallet, .answer, "POST", "/closing", .value(after: #""resultStatus":""#),
            "how the payment ended, as the wallet tells the super app"),
        Flip(
            "holder:frame", .holderToPhone, .request, "POST", "/frames", .value(after: #""origin":"http:\/\/"#),
            "the origin of the page that calls"),
    ]
}
