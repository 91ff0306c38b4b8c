extension Flip {
    /// The messages of the journey "provision a card" whose damage shows. Beside what ``Flip`` leaves out:
    /// - Texts to the customer that carry no code, and names of devices.
    /// - Reports to the console: no step compares a story with what was said.
    /// - Books and states that are asked for again until they agree: the next answer is a whole one.
    static let provisioning = [
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
