extension Flip {
    /// The messages of the journey "run a mini program in a super app" whose damage shows. Beside what ``Flip`` leaves out:
    /// - What the author publishes with, and what it asks about a user: it asks again.
    /// - The list of mini programs: its names are for people, and what is opened comes signed.
    /// - Payments and their notifications: the journey "pay an express order" has them.
    static let miniProgram = [
        Flip(
            "holder:phone", on: .holderToPhone, in: .answer, method: "POST", path: "/super-app/phones", at: .value(after: #""session":""#),
            what: "the phone that is handed out"),
        Flip(
            "holder:login", on: .holderToPhone, in: .request, method: "POST", path: "/taps", at: .value(after: #""value":""#),
            what: "who logs in to the super app"),
        Flip(
            "wallet:session", on: .everyoneToWallet, in: .answer, method: "POST", path: "/v1/users/sessions",
            at: .value(after: #""session":""#), what: "the user's session at the wallet"),
        Flip(
            "wallet:platform-key", on: .everyoneToWallet, in: .answer, method: "GET", path: "/mini-programs/v1/keys",
            at: .blob(after: "BEGIN PUBLIC KEY", distance: 80), what: "the key that metadata and packages are verified with"),
        Flip(
            "wallet:metadata", on: .everyoneToWallet, in: .answer, method: "GET", path: "/metadata", at: .value(after: #""name":""#),
            what: "the signed metadata of a mini program"),
        Flip(
            "wallet:package", on: .everyoneToWallet, in: .answer, method: "GET", path: "/mini-programs/v1/packages/*",
            at: .blob(after: "PK", distance: 120), what: "the signed package of a mini program"),
        Flip(
            "wallet:scopes", on: .everyoneToWallet, in: .answer, method: "POST", path: "/v1/authorizations/applyAuthCode",
            at: .value(after: #""resultCode":""#), what: "whether the user has to agree first"),
        Flip(
            "wallet:agreement", on: .everyoneToWallet, in: .request, method: "POST", path: "/v1/authorizations/agreements",
            at: .value(after: #""scopes":[""#), what: "what the user agreed to"),
        Flip(
            "super-app:code", on: .superAppToAuthor, in: .request, method: "POST", path: "/author/v1/sessions",
            at: .value(after: #""authCode":""#), what: "the code on its way to the author's server"),
        Flip(
            "author:token", on: .everyoneToWallet, in: .request, method: "POST", path: "/v2/authorizations/applyToken",
            at: .value(after: #""authCode":""#), what: "the code in the author's signed call"),
        Flip(
            "wallet:token", on: .everyoneToWallet, in: .answer, method: "POST", path: "/v2/authorizations/applyToken",
            at: .value(after: #""accessToken":""#), what: "the token in the wallet's signed answer"),
        Flip(
            "author:order", on: .superAppToAuthor, in: .answer, method: "POST", path: "/author/v1/orders",
            at: .blob(after: "biz_content", distance: 60), what: "the signed order on its way to the mini program"),
        Flip(
            "author:state", on: .superAppToAuthor, in: .answer, method: "POST", path: "/state", at: .value(after: #""state":""#),
            what: "whether the author's server says paid"),
        Flip(
            "holder:way-back", on: .holderToPhone, in: .request, method: "POST", path: "/open", at: .value(after: #""url":""#),
            what: "the address that leads back from the wallet"),
        Flip(
            "wallet:closing", on: .everyoneToWallet, in: .answer, method: "POST", path: "/closing", at: .value(after: #""resultStatus":""#),
            what: "how the payment ended, as the wallet tells the super app"),
        Flip(
            "holder:frame", on: .holderToPhone, in: .request, method: "POST", path: "/frames", at: .value(after: #""origin":"http:\/\/"#),
            what: "the origin of the page that calls"),
    ]
}
