extension Flip {
    /// The messages of the journey "provision a card" whose damage shows. Beside what ``Flip`` leaves out:
    /// - Texts to the customer that carry no code, and names of devices.
    /// - Reports to the console: what a step reads of a story is the bank's own note of its decision, reported where it is made.
    /// - Books and states that are asked for again until they agree: the next answer is a whole one.
    /// - The method that the customer chose and the code that he typed, on their way from the device: refused, and given once more.
    static let provisioning = [
        Flip(
            "customer:bank-tap", .customerToDevice, .request, "POST", "/taps", .value(after: #""value":""#), "whom the customer logs in as"),
        Flip(
            "device:outcome", .customerToDevice, .answer, "GET", "/bank/phones/*", .value(after: "provisioning.attempt:"),
            "the attempt that the app names"),
        Flip("owner:lost", .ownerToBroker, .request, "POST", "/lost", .value(after: #""lost":"#), "whether the phone is lost"),
        Flip("operator:sign-in", .operatorToIssuer, .answer, "POST", "/session", .value(after: #""csrfToken":""#), "an operator's session"),
        Flip(
            "operator:review", .operatorToIssuer, .request, "POST", "/approvals", .value(after: #""subject":""#),
            "the review that a person ends"),
        Flip(
            "operator:action", .operatorToIssuer, .request, "POST", "/actions", .value(after: #""action":""#),
            "what the bank does with a token"),
        Flip("issuer:cards", .appToIssuer, .answer, "GET", "/cards", .value(after: #""id":""#), "the cards that the app offers"),
        Flip(
            "issuer:eligibility", .appToIssuer, .answer, "GET", "/eligibility", .value(after: #""enabled":"#),
            "whether the bank offers the wallet"),
        Flip(
            "app:pass-data", .appToIssuer, .request, "POST", "/pass-data", .value(after: #""nonce":""#), "the nonce on its way to the bank"),
        Flip("broker:card", .deviceToBroker, .answer, "POST", "/cards", .value(after: #""cardId":""#), "the broker's name of the card"),
        Flip(
            "device:terms", .deviceToBroker, .request, "POST", "/enable", .value(after: #""termsAccepted":"#),
            "whether the customer agreed"),
        Flip(
            "network:pass", .brokerToNetwork, .answer, "POST", "/enable", .value(after: #""activationState":"#),
            "whether the network's token can be used"),
        Flip(
            "broker:root", .issuerToBroker, .answer, "GET", "/control/root", .blob(after: "-----BEGIN CERTIFICATE-----", distance: 330),
            "the key of the root that the broker's certificates must lead to"),
        Flip(
            "network:account-key", .issuerToNetwork, .answer, "GET", "/keys", .blob(after: #""accountKey":""#, distance: 60),
            "the key that the bank seals for the network with"),
        Flip(
            "issuer:enrolment", .issuerToNetwork, .request, "POST", "/enrolment", .blob(after: #""decisionKey":""#, distance: 60),
            "the key that the network seals for the bank with"),
        Flip(
            "processor:cards", .issuerToProcessor, .answer, "GET", "/cards", .value(after: #""primaryAccountNumber":""#),
            "a card number on its way to the bank"),
        Flip(
            "issuer:session", .appToIssuer, .answer, "POST", "/sessions", .value(after: #""token":""#), "the token of the app's session"),
        Flip(
            "issuer:configuration", .appToIssuer, .answer, "GET", "/configuration", .value(after: #""primaryAccountSuffix":""#),
            "the last digits that the wallet shows"),
        Flip(
            "broker:certificates", .deviceToBroker, .answer, "GET", "/issuerProvisioningCertificates",
            .blob(after: #""certificates":[""#, distance: 400), "the broker's leaf"),
        Flip(
            "issuer:pass-data", .appToIssuer, .answer, "POST", "/pass-data", .blob(after: #""encryptedPassData":""#),
            "the sealed card on its way to the app"),
        Flip(
            "device:card", .deviceToBroker, .request, "POST", "/cards", .blob(after: #""encryptedPassData":""#),
            "the sealed card on its way to the broker"),
        Flip(
            "broker:provisioning", .brokerToNetwork, .request, "POST", "/provisionings", .value(after: #""nonce":""#),
            "the nonce that activation data must name"),
        Flip(
            "network:decision", .networkToIssuer, .request, "POST", "/decisions", .blob(after: #""encryptedAccount":""#),
            "the card number on its way back to the bank"),
        Flip(
            "issuer:decision", .networkToIssuer, .answer, "POST", "/decisions", .value(after: #""colour":""#), "the bank's vote"),
        Flip(
            "broker:pass", .deviceToBroker, .answer, "POST", "/enable", .value(after: #""activationState":"#),
            "whether the pass can be used"),
        Flip("network:code", .networkToIssuer, .request, "POST", "/codes", .value(after: #""code":""#), "the one-time code"),
        Flip(
            "network:event", .networkToIssuer, .request, "POST", "/events", .value(after: #""sequence":"#),
            "the number of a token's first change"),
        Flip(
            "network:books", .operatorToNetwork, .answer, "GET", "/control/books", .value(after: #""state":""#),
            "a token's state in the network's books"),
    ]
}
