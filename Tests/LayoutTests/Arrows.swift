/// Which target may import which of our own, and who may import a library from outside that should stay in one place.
///
/// A new target gets a line here in the commit that makes it. A line says what a target *may* import, not what it does.
enum Arrows {
    static let foundations: Set<String> = [
        "BillfoldConcurrency", "BillfoldCalendar", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto",
        "CustomerLanguages",
    ]
    static let protocols: Set<String> = ["ApplePay", "UnionPay", "Alipay", "AlipayPlusValues", "AlipayPlus", "MiniPrograms"]
    /// What explains a protocol's artifacts, apart from what signs and reads them.
    static let doctors: Set<String> = [
        "ApplePayDiagnosis", "UnionPayDiagnosis", "AlipayDiagnosis", "AlipayPlusDiagnosis", "MiniProgramsDiagnosis",
    ]
    /// What plays the other side of a protocol: nothing that verifies or provisions in earnest builds it.
    static let forgers: Set<String> = ["ApplePayForging"]
    static let appClients: Set<String> = [
        "ApplePayApp", "UnionPayApp", "AlipayApp", "AlipayPlusApp", "WalletAPI", "IAPWalletContext", "AppContainer",
    ]
    /// The other names under which published code imports a module: each hands on that one, and has nothing of its own.
    static let importNames: Set<String> = [
        "IAPWalletContext", "GriverSDK", "ACGriverCore", "IAPConnect", "GRVAppContainer", "AriverKernel", "UPPaymentControl",
        "UPAPayPlugin",
    ]
    static let storage: Set<String> = ["BillfoldStorage", "BillfoldStorageSQLite", "BillfoldStoragePostgreSQL"]
    static let servers: Set<String> = [
        "BillfoldServer", "CardPaymentsServer", "ProvisioningServer", "AlipayServer", "AlipayPlusServer", "WalletServer",
    ]
    static let serverFoundations: Set<String> =
        foundations.union(protocols).union([
            "BillfoldServer", "BillfoldEvents", "BillfoldPayments", "BillfoldStorage", "BillfoldTrace", "BillfoldWeb", "BillfoldArchive",
        ])

    static let allowed: [String: Set<String>] = [
        "BillfoldConcurrency": [],
        "BillfoldCalendar": [],
        "CustomerLanguages": [],
        "BillfoldMoney": ["BillfoldDiagnosis"],
        "BillfoldDiagnosis": ["BillfoldConcurrency"],
        "BillfoldJSON": ["BillfoldDiagnosis", "BillfoldConcurrency"],
        "BillfoldTrace": ["BillfoldDiagnosis", "BillfoldJSON"],
        "PaymentCrypto": ["BillfoldCalendar", "BillfoldDiagnosis", "BillfoldConcurrency"],
        "PaymentCryptoIssuing": ["PaymentCrypto"],
        "PaymentCryptoOpenSSL": ["PaymentCrypto", "BillfoldDiagnosis", "CLibcrypto"],
        "PaymentCryptoPKCS11": ["PaymentCrypto", "BillfoldDiagnosis", "CP11Kit"],
        "ApplePay": foundations,
        "ApplePayDiagnosis": foundations.union(["ApplePay"]),
        "ApplePayForging": foundations.union(["ApplePay", "PaymentCryptoIssuing"]),
        "UnionPay": foundations.union(["BillfoldArchive"]),
        "Alipay": foundations,
        "AlipayDiagnosis": foundations.union(["Alipay"]),
        "AlipayPlusValues": ["BillfoldCalendar", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "CustomerLanguages"],
        "AlipayPlus": foundations.union(["AlipayPlusValues"]),
        "AlipayPlusDiagnosis": foundations.union(["AlipayPlusValues", "AlipayPlus"]),
        "MiniPrograms": foundations.union(["BillfoldArchive"]),
        "UnionPayDiagnosis": foundations.union(["UnionPay"]),
        "MiniProgramsDiagnosis": foundations.union(["MiniPrograms"]),
        "UIKitSimulator": ["BillfoldConcurrency"],
        "ContactsSimulator": [],
        "PassKitSimulator": ["BillfoldConcurrency", "UIKitSimulator", "ContactsSimulator"],
        "WebKitSimulator": ["BillfoldConcurrency", "UIKitSimulator"],
        "OSLogSimulator": [],
        "ApplePayApp": [
            "BillfoldMoney", "BillfoldDiagnosis", "BillfoldConcurrency", "CustomerLanguages", "ApplePay", "PassKitSimulator",
        ],
        "UnionPayApp": ["BillfoldDiagnosis", "BillfoldConcurrency", "CustomerLanguages", "UIKitSimulator", "PassKitSimulator"],
        "AlipayApp": [
            "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldConcurrency", "CustomerLanguages", "Alipay", "PaymentCrypto",
            "UIKitSimulator",
        ],
        "AlipayPlusApp": ["BillfoldMoney", "BillfoldJSON", "BillfoldConcurrency", "CustomerLanguages", "AlipayPlusValues"],
        "WalletAPI": ["BillfoldMoney", "BillfoldDiagnosis", "BillfoldConcurrency", "CustomerLanguages"],
        "IAPWalletContext": ["WalletAPI"],
        "AppContainer": [
            "MiniPrograms", "WalletAPI", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldConcurrency", "PaymentCrypto", "CJavaScriptCore",
            "CWorkerSandbox",
        ],
        "GriverSimulator": ["AppContainer", "MiniPrograms", "UIKitSimulator", "BillfoldJSON", "BillfoldConcurrency"],
        "GriverSDK": ["GriverSimulator"],
        "ACGriverCore": ["GriverSimulator"],
        "IAPConnect": ["GriverSimulator"],
        "GRVAppContainer": ["GriverSimulator"],
        "AriverKernel": ["GriverSimulator"],
        "UPPaymentControl": ["UnionPayApp"],
        "UPAPayPlugin": ["UnionPayApp"],
        "CodeReader": ["WalletAPI", "BillfoldDiagnosis", "CCodeReader"],
        "MiniProgramZip": ["MiniPrograms", "BillfoldArchive"],
        "MiniProgramWorker": ["AppContainer"],
        "BillfoldStorage": ["BillfoldDiagnosis"],
        "BillfoldStorageSQLite": ["BillfoldStorage"],
        "BillfoldStoragePostgreSQL": ["BillfoldStorage", "BillfoldDiagnosis", "BillfoldConcurrency", "CLibpq"],
        "BillfoldArchive": ["BillfoldDiagnosis", "CArchive"],
        "BillfoldPayments": ["BillfoldMoney", "BillfoldDiagnosis", "BillfoldStorage", "PaymentCrypto"],
        "BillfoldWeb": ["BillfoldCalendar", "BillfoldDiagnosis", "BillfoldTrace", "CQRencode"],
        "BillfoldServer": [
            "BillfoldStorage", "BillfoldTrace", "BillfoldWeb", "BillfoldPayments", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON",
            "BillfoldConcurrency", "PaymentCrypto",
        ],
        "BillfoldEvents": [
            "BillfoldServer", "BillfoldWeb", "BillfoldPayments", "BillfoldStorage", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto",
        ],
        "CardPaymentsServer": serverFoundations,
        "ProvisioningServer": serverFoundations,
        "AlipayServer": serverFoundations.union(["PaymentCryptoIssuing"]),
        "AlipayPlusServer": serverFoundations,
        "WalletServer": serverFoundations.union(["MiniProgramZip"]),
        "BillfoldSandbox": foundations.union(protocols).union(appClients)
            .union([
                "ApplePayForging", "PassKitSimulator", "BillfoldTrace", "BillfoldStorage", "BillfoldWeb", "BillfoldArchive", "CodeReader",
                "MiniProgramZip",
            ]),
        "billfold": serverFoundations.union(servers).union(storage).union(doctors).union(forgers).union([
            "BillfoldSandbox", "PaymentCryptoOpenSSL", "PaymentCryptoPKCS11", "AppContainer", "ApplePayApp", "UnionPayApp", "AlipayApp",
            "CWipeOnFree", "CBuildStamp",
            "PassKitSimulator", "MiniProgramZip", "WalletAPI",
        ]),
    ]

    /// Arrows that must never be, however many steps they take.
    static let forbidden: [(from: Set<String>, to: Set<String>, why: String)] = [
        (servers, ["BillfoldSandbox"], "a server and the sandbox meet over HTTP only"),
        (["BillfoldSandbox"], servers, "a server and the sandbox meet over HTTP only"),
        (["BillfoldSandbox"], ["BillfoldPayments"], "the other parties keep books of their own"),
        (
            protocols.union(appClients).union(servers).union(["BillfoldSandbox"]), doctors,
            "who signs and reads messages does not build the doctor"
        ),
        (
            protocols.union(doctors),
            storage.union(servers).union(["PaymentCryptoOpenSSL", "PaymentCryptoPKCS11", "CLibcrypto", "CP11Kit"]),
            "a protocol does no input or output and runs in a phone"
        ),
        (
            protocols.union(appClients).union(servers), forgers, "what takes payments or provisions cards builds nothing that forges tokens"
        ),
        (
            appClients, storage.union(servers).union(["PaymentCryptoOpenSSL", "PaymentCryptoPKCS11", "CLibcrypto", "CP11Kit"]),
            "an app client runs in a phone"
        ),
        (["AlipayPlusApp"], ["PaymentCrypto", "CryptoExtras"], "a payment sheet hashes and does nothing else of cryptography"),
    ]

    /// Modules from outside that stay where they are.
    static let outside: [String: Set<String>] = {
        let network = servers.union(["BillfoldEvents", "BillfoldSandbox", "billfold"])
        return [
            "GRDB": ["BillfoldStorageSQLite"],
            "Mustache": ["BillfoldWeb"],
            "Hummingbird": network, "HummingbirdTLS": network, "HummingbirdCore": network, "AsyncHTTPClient": network, "NIOSSL": network,
            "NIOCore": network, "NIOPosix": network, "NIOHTTP1": network, "NIOHTTPTypes": network,
            "ArgumentParser": ["billfold"],
            "PassKit": ["ApplePayApp", "UnionPayApp"],
            "XCTest": [], "Testing": [],
        ]
    }()
}
