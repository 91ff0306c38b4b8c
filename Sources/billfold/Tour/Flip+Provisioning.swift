extension Flip {
    /// The messages of the journey "provision a card" whose damage shows. Beside what ``Flip`` leaves out:
    /// - Texts to the customer that carry no code, and names of devices.
    /// - Reports to the console: what a step reads of a story is the bank's own note of its decision, reported where it is made.
    /// - Books and states that are asked for again until they agree: the next answer is a whole one.
    /// - The method that the customer chose and the code that he typed, on their way from the device: refused, and given once more.
    static let provisioning = [
        Flip(
            "customer:bank-tap", on: .customerToDevice, in: .request, method: "POST", path: "/taps", at: .value(after: #""value":""#),
            what: "whom the customer logs in as"),
        Flip(
            "device:outcome", on: .customerToDevice, in: .answer, method: "GET", path: "/bank/phones/*",
            at: .value(after: "provisioning.attempt:"), what: "the attempt that the app names"),
        Flip(
            "owner:lost", on: .ownerToBroker, in: .request, method: "POST", path: "/lost", at: .value(after: #""lost":"#),
            what: "whether the phone is lost"),
        Flip(
            "operator:sign-in", on: .operatorToIssuer, in: .answer, method: "POST", path: "/session", at: .value(after: #""csrfToken":""#),
            what: "an operator's session"),
        Flip(
            "operator:review", on: .operatorToIssuer, in: .request, method: "POST", path: "/approvals", at: .value(after: #""subject":""#),
            what: "the review that a person ends"),
        Flip(
            "operator:action", on: .operatorToIssuer, in: .request, method: "POST", path: "/actions", at: .value(after: #""action":""#),
            what: "what the bank does with a token"),
        Flip(
            "issuer:cards", on: .appToIssuer, in: .answer, method: "GET", path: "/cards", at: .value(after: #""id":""#),
            what: "the cards that the app offers"),
        Flip(
            "issuer:eligibility", on: .appToIssuer, in: .answer, method: "GET", path: "/eligibility", at: .value(after: #""enabled":"#),
            what: "whether the bank offers the wallet"),
        Flip(
            "app:pass-data", on: .appToIssuer, in: .request, method: "POST", path: "/pass-data", at: .value(after: #""nonce":""#),
            what: "the nonce on its way to the bank"),
        Flip(
            "broker:card", on: .deviceToBroker, in: .answer, method: "POST", path: "/cards", at: .value(after: #""cardId":""#),
            what: "the broker's name of the card"),
        Flip(
            "device:terms", on: .deviceToBroker, in: .request, method: "POST", path: "/enable", at: .value(after: #""termsAccepted":"#),
            what: "whether the customer agreed"),
        Flip(
            "network:pass", on: .brokerToNetwork, in: .answer, method: "POST", path: "/enable", at: .value(after: #""activationState":"#),
            what: "whether the network's token can be used"),
        Flip(
            "broker:root", on: .issuerToBroker, in: .answer, method: "GET", path: "/control/root",
            at: .blob(after: "-----BEGIN CERTIFICATE-----", distance: 330),
            what: "the key of the root that the broker's certificates must lead to"),
        Flip(
            "network:account-key", on: .issuerToNetwork, in: .answer, method: "GET", path: "/keys",
            at: .blob(after: #""accountKey":""#, distance: 60), what: "the key that the bank seals for the network with"),
        Flip(
            "issuer:enrolment", on: .issuerToNetwork, in: .request, method: "POST", path: "/enrolment",
            at: .blob(after: #""decisionKey":""#, distance: 60), what: "the key that the network seals for the bank with"),
        Flip(
            "processor:cards", on: .issuerToProcessor, in: .answer, method: "GET", path: "/cards",
            at: .value(after: #""primaryAccountNumber":""#), what: "a card number on its way to the bank"),
        Flip(
            "issuer:session", on: .appToIssuer, in: .answer, method: "POST", path: "/sessions", at: .value(after: #""token":""#),
            what: "the token of the app's session"),
        Flip(
            "issuer:configuration", on: .appToIssuer, in: .answer, method: "GET", path: "/configuration",
            at: .value(after: #""primaryAccountSuffix":""#), what: "the last digits that the wallet shows"),
        Flip(
            "broker:certificates", on: .deviceToBroker, in: .answer, method: "GET", path: "/issuerProvisioningCertificates",
            at: .blob(after: #""certificates":[""#, distance: 400), what: "the broker's leaf"),
        Flip(
            "issuer:pass-data", on: .appToIssuer, in: .answer, method: "POST", path: "/pass-data",
            at: .blob(after: #""encryptedPassData":""#), what: "the sealed card on its way to the app"),
        Flip(
            "device:card", on: .deviceToBroker, in: .request, method: "POST", path: "/cards", at: .blob(after: #""encryptedPassData":""#),
            what: "the sealed card on its way to the broker"),
        Flip(
            "broker:provisioning", on: .brokerToNetwork, in: .request, method: "POST", path: "/provisionings",
            at: .value(after: #""nonce":""#), what: "the nonce that activation data must name"),
        Flip(
            "network:decision", on: .networkToIssuer, in: .request, method: "POST", path: "/decisions",
            at: .blob(after: #""encryptedAccount":""#), what: "the card number on its way back to the bank"),
        Flip(
            "issuer:decision", on: .networkToIssuer, in: .answer, method: "POST", path: "/decisions", at: .value(after: #""colour":""#),
            what: "the bank's vote"),
        Flip(
            "broker:pass", on: .deviceToBroker, in: .answer, method: "POST", path: "/enable", at: .value(after: #""activationState":"#),
            what: "whether the pass can be used"),
        Flip(
            "network:code", on: .networkToIssuer, in: .request, method: "POST", path: "/codes", at: .value(after: #""code":""#),
            what: "the one-time code"),
        Flip(
            "network:event", on: .networkToIssuer, in: .request, method: "POST", path: "/events", at: .value(after: #""sequence":"#),
            what: "the number of a token's first change"),
        Flip(
            "network:books", on: .operatorToNetwork, in: .answer, method: "GET", path: "/control/books", at: .value(after: #""state":""#),
            what: "a token's state in the network's books"),
    ]
}
