// swift-tools-version: 6.2
import PackageDescription

/// The settings every target shares. `InternalImportsByDefault` makes `public import` mark exactly which
/// dependencies leak into an API; warnings are errors wherever `BILLFOLD_STRICT` is set (`make` sets it).
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (Context.environment["BILLFOLD_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

extension Target.Dependency {
    static let asn1: Self = .product(name: "SwiftASN1", package: "swift-asn1")
    static let crypto: Self = .product(name: "Crypto", package: "swift-crypto")
    /// Where the system has no CryptoKit.
    static let cryptoOnLinux: Self = .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux]))
    static let cryptoExtras: Self = .product(name: "CryptoExtras", package: "swift-crypto")
    static let x509: Self = .product(name: "X509", package: "swift-certificates")

    /// A product of a package that only servers, the sandbox and tests need. A consumer without the trait does not even resolve it, as long
    /// as no target names such a product in another way.
    private static func ofServers(_ name: String, _ package: String) -> Self {
        .product(name: name, package: package, condition: .when(traits: ["Servers"]))
    }

    static let asyncHTTPClient = ofServers("AsyncHTTPClient", "async-http-client")
    static let grdb = ofServers("GRDB", "GRDB.swift")
    static let grdbSQLite = ofServers("GRDBSQLite", "GRDB.swift")
    static let hummingbird = ofServers("Hummingbird", "hummingbird")
    static let hummingbirdCore = ofServers("HummingbirdCore", "hummingbird")
    static let hummingbirdTesting = ofServers("HummingbirdTesting", "hummingbird")
    static let logging = ofServers("Logging", "swift-log")
    static let coreMetrics = ofServers("CoreMetrics", "swift-metrics")
    static let metrics = ofServers("Metrics", "swift-metrics")
    static let mustache = ofServers("Mustache", "swift-mustache")
    static let nioCore = ofServers("NIOCore", "swift-nio")
    static let nioSSL = ofServers("NIOSSL", "swift-nio-ssl")
    static let nioTLS = ofServers("NIOTLS", "swift-nio")
    static let nioPosix = ofServers("NIOPosix", "swift-nio")
    static let nioHTTP1 = ofServers("NIOHTTP1", "swift-nio")
    static let nioHTTPTypes = ofServers("NIOHTTPTypes", "swift-nio-extras")
    static let unixSignals = ofServers("UnixSignals", "swift-service-lifecycle")
    static let serviceLifecycle = ofServers("ServiceLifecycle", "swift-service-lifecycle")
    static let httpTypes = ofServers("HTTPTypes", "swift-http-types")
    static let argumentParser = ofServers("ArgumentParser", "swift-argument-parser")
}

/// A library target with the shared settings and a documentation catalogue beside its sources.
func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], support: Bool = true, resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + (support ? ["BillfoldTestSupport"] : []), resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "billfold",
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        .library(name: "BillfoldMoney", targets: ["BillfoldMoney"]),
        .library(name: "BillfoldDiagnosis", targets: ["BillfoldDiagnosis"]),
        .library(name: "BillfoldJSON", targets: ["BillfoldJSON"]),
        .library(name: "BillfoldTrace", targets: ["BillfoldTrace"]),
        .library(name: "PaymentCrypto", targets: ["PaymentCrypto"]),
        .library(name: "PaymentCryptoIssuing", targets: ["PaymentCryptoIssuing"]),
        .library(name: "PaymentCryptoOpenSSL", targets: ["PaymentCryptoOpenSSL"]),
        .library(name: "PaymentCryptoPKCS11", targets: ["PaymentCryptoPKCS11"]),
        .library(name: "ApplePay", targets: ["ApplePay"]),
        .library(name: "ApplePayDiagnosis", targets: ["ApplePayDiagnosis"]),
        .library(name: "ApplePayForging", targets: ["ApplePayForging"]),
        .library(name: "UnionPay", targets: ["UnionPay"]),
        .library(name: "UnionPayDiagnosis", targets: ["UnionPayDiagnosis"]),
        .library(name: "Alipay", targets: ["Alipay"]),
        .library(name: "AlipayDiagnosis", targets: ["AlipayDiagnosis"]),
        .library(name: "AlipayPlus", targets: ["AlipayPlus"]),
        .library(name: "AlipayPlusValues", targets: ["AlipayPlusValues"]),
        .library(name: "AlipayPlusDiagnosis", targets: ["AlipayPlusDiagnosis"]),
        .library(name: "MiniPrograms", targets: ["MiniPrograms"]),
        .library(name: "MiniProgramsDiagnosis", targets: ["MiniProgramsDiagnosis"]),
        .library(name: "CustomerLanguages", targets: ["CustomerLanguages"]),
        .library(name: "UIKitSimulator", targets: ["UIKitSimulator"]),
        .library(name: "ContactsSimulator", targets: ["ContactsSimulator"]),
        .library(name: "PassKitSimulator", targets: ["PassKitSimulator"]),
        .library(name: "WebKitSimulator", targets: ["WebKitSimulator"]),
        .library(name: "OSLogSimulator", targets: ["OSLogSimulator"]),
        .library(name: "ApplePayApp", targets: ["ApplePayApp"]),
        .library(name: "UnionPayApp", targets: ["UnionPayApp"]),
        .library(name: "AlipayApp", targets: ["AlipayApp"]),
        .library(name: "AlipayPlusApp", targets: ["AlipayPlusApp"]),
        .library(name: "WalletAPI", targets: ["WalletAPI"]),
        .library(name: "AppContainer", targets: ["AppContainer"]),
        .library(name: "GriverSimulator", targets: ["GriverSimulator"]),
        .library(name: "GriverSDK", targets: ["GriverSDK"]),
        .library(name: "IAPWalletContext", targets: ["IAPWalletContext"]),
        .library(name: "ACGriverCore", targets: ["ACGriverCore"]),
        .library(name: "IAPConnect", targets: ["IAPConnect"]),
        .library(name: "GRVAppContainer", targets: ["GRVAppContainer"]),
        .library(name: "AriverKernel", targets: ["AriverKernel"]),
        .library(name: "UPPaymentControl", targets: ["UPPaymentControl"]),
        .library(name: "UPAPayPlugin", targets: ["UPAPayPlugin"]),
        .library(name: "CodeReader", targets: ["CodeReader"]),
        .library(name: "BillfoldStorage", targets: ["BillfoldStorage"]),
        .library(name: "BillfoldStorageSQLite", targets: ["BillfoldStorageSQLite"]),
        .library(name: "BillfoldStoragePostgreSQL", targets: ["BillfoldStoragePostgreSQL"]),
        .library(name: "BillfoldPayments", targets: ["BillfoldPayments"]),
        .library(name: "BillfoldServer", targets: ["BillfoldServer"]),
        .library(name: "CardPaymentsServer", targets: ["CardPaymentsServer"]),
        .library(name: "ProvisioningServer", targets: ["ProvisioningServer"]),
        .library(name: "AlipayServer", targets: ["AlipayServer"]),
        .library(name: "AlipayPlusServer", targets: ["AlipayPlusServer"]),
        .library(name: "WalletServer", targets: ["WalletServer"]),
        .executable(name: "billfold", targets: ["billfold"]),
        .executable(name: "billfold-mini-program", targets: ["billfold-mini-program"]),
    ],
    traits: [
        .trait(
            name: "Servers",
            description: "What servers, the sandbox and the program billfold need; phone clients and protocols do without.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.20.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        // What every journey stands on.
        library("BillfoldConcurrency"),
        library("BillfoldCalendar"),
        library("BillfoldMoney", ["BillfoldDiagnosis"]),
        library("BillfoldDiagnosis", ["BillfoldConcurrency"]),
        library("BillfoldJSON", ["BillfoldConcurrency", "BillfoldDiagnosis"]),
        library("BillfoldTrace", ["BillfoldDiagnosis", "BillfoldJSON"]),

        // Cryptography. The OpenSSL half is for servers and the doctor only.
        library("PaymentCrypto", ["BillfoldCalendar", "BillfoldConcurrency", "BillfoldDiagnosis", .crypto, .cryptoExtras]),
        library("PaymentCryptoIssuing", ["PaymentCrypto"]),
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        library("PaymentCryptoOpenSSL", ["BillfoldDiagnosis", "PaymentCrypto", "CLibcrypto"]),
        .systemLibrary(name: "CP11Kit", pkgConfig: "p11-kit-1", providers: [.apt(["libp11-kit-dev"])]),
        library("PaymentCryptoPKCS11", ["BillfoldDiagnosis", "PaymentCrypto", "CP11Kit", .cryptoExtras]),

        // One protocol each: no input or output, no clock.
        library(
            "ApplePay",
            [
                "BillfoldCalendar", "BillfoldConcurrency", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", .crypto,
            ]),
        library(
            "UnionPay",
            [
                "BillfoldCalendar", "BillfoldConcurrency", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", .asn1,
                .crypto, .x509,
            ]),
        library("Alipay", ["BillfoldCalendar", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", .crypto]),
        // What a phone's payment sheet and a gateway have in common: it hashes by the system's library, and builds none for a phone.
        library(
            "AlipayPlusValues",
            ["BillfoldCalendar", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "CustomerLanguages", .cryptoOnLinux]),
        library("AlipayPlus", ["BillfoldMoney", "BillfoldJSON", "PaymentCrypto", "AlipayPlusValues"]),
        library("MiniPrograms", ["BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", .crypto]),

        // The doctor of each protocol. Who only signs and reads messages does without.
        library(
            "ApplePayDiagnosis", ["BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "ApplePay", .crypto]),
        library("UnionPayDiagnosis", ["BillfoldMoney", "BillfoldDiagnosis", "PaymentCrypto", "UnionPay", .asn1, .crypto, .x509]),
        library("AlipayDiagnosis", ["BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "Alipay", .crypto]),
        library(
            "AlipayPlusDiagnosis",
            [
                "BillfoldCalendar", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "AlipayPlusValues",
                "AlipayPlus", .crypto,
            ]),
        library("MiniProgramsDiagnosis", ["BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "MiniPrograms"]),
        // What forges tokens for tests and for the sandbox's wallet.
        library("ApplePayForging", ["BillfoldJSON", "PaymentCrypto", "PaymentCryptoIssuing", "ApplePay", .crypto]),

        // What runs in the phone's app, and UIKit, Contacts and PassKit in software.
        library("CustomerLanguages"),
        library("UIKitSimulator", ["BillfoldConcurrency"]),
        library("ContactsSimulator"),
        library("PassKitSimulator", ["BillfoldConcurrency", "UIKitSimulator", "ContactsSimulator"]),
        library("WebKitSimulator", ["BillfoldConcurrency", "UIKitSimulator"]),
        library("OSLogSimulator"),
        library("ApplePayApp", ["BillfoldConcurrency", "BillfoldMoney", "BillfoldDiagnosis", "CustomerLanguages", "PassKitSimulator"]),
        library("UnionPayApp", ["BillfoldConcurrency", "BillfoldDiagnosis", "CustomerLanguages", "UIKitSimulator", "PassKitSimulator"]),
        library(
            "AlipayApp",
            [
                "BillfoldConcurrency", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "CustomerLanguages", "PaymentCrypto", "Alipay",
                "UIKitSimulator", .crypto,
            ]),
        library("AlipayPlusApp", ["BillfoldConcurrency", "BillfoldMoney", "BillfoldJSON", "CustomerLanguages", "AlipayPlusValues"]),
        library("WalletAPI", ["BillfoldConcurrency", "BillfoldDiagnosis", "CustomerLanguages"]),
        library("IAPWalletContext", ["WalletAPI"]),
        .systemLibrary(name: "CZXing", pkgConfig: "zxing", providers: [.apt(["libzxing-dev"])]),
        .systemLibrary(name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
        .target(
            name: "CCodeReader", dependencies: ["CZXing", "CGdkPixbuf"],
            linkerSettings: [.linkedLibrary("ZXing"), .linkedLibrary("gdk_pixbuf-2.0"), .linkedLibrary("gobject-2.0")]),
        library("CodeReader", ["BillfoldDiagnosis", "WalletAPI", "CCodeReader"]),
        .systemLibrary(
            name: "CJavaScriptCore", pkgConfig: "javascriptcoregtk-4.1", providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]),
        // What a worker takes from itself before it runs a script.
        .target(name: "CWorkerSandbox"),
        library(
            "AppContainer",
            [
                "MiniPrograms", "WalletAPI", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldConcurrency", "PaymentCrypto", .crypto,
                .target(name: "CJavaScriptCore", condition: .when(platforms: [.linux])),
                .target(name: "CWorkerSandbox", condition: .when(platforms: [.linux])),
            ],
            // The logic's own scripts are part of the binary: nothing has to be found at run time.
            resources: (["core", "modules", "data", "pages", "components", "my"].map { "Logic/Scripts/\($0)" } + ["Web/bridge"])
                .map { .embedInCode("\($0).js") }),
        // The names by which a super app launches mini programs, over the container.
        library(
            "GriverSimulator",
            ["BillfoldConcurrency", "BillfoldJSON", "MiniPrograms", "AppContainer", "UIKitSimulator"]),
        library("GriverSDK", ["GriverSimulator"]),
        library("ACGriverCore", ["GriverSimulator"]),
        library("IAPConnect", ["GriverSimulator"]),
        library("GRVAppContainer", ["GriverSimulator"]),
        library("AriverKernel", ["GriverSimulator"]),
        library("UPPaymentControl", ["UnionPayApp"]),
        library("UPAPayPlugin", ["UnionPayApp"]),
        // One mini program in a process of its own; the container starts it.
        .executableTarget(
            name: "billfold-mini-program", dependencies: ["AppContainer"], path: "Sources/MiniProgramWorker", swiftSettings: settings),

        // Storage.
        library("BillfoldStorage", ["BillfoldDiagnosis", .logging]),
        library("BillfoldStorageSQLite", ["BillfoldStorage", .grdb, .grdbSQLite, .logging]),
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        library("BillfoldStoragePostgreSQL", ["BillfoldConcurrency", "BillfoldDiagnosis", "BillfoldStorage", "CLibpq", .logging]),

        // Payments, servers and pages.
        library(
            "BillfoldPayments",
            ["BillfoldMoney", "BillfoldDiagnosis", "PaymentCrypto", "BillfoldStorage", .crypto, .logging, .serviceLifecycle]),
        .systemLibrary(name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        library(
            "BillfoldWeb",
            ["BillfoldCalendar", "BillfoldDiagnosis", "BillfoldTrace", "CQRencode", .mustache], resources: [.copy("Resources")]),
        library(
            "BillfoldServer",
            [
                "BillfoldConcurrency", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto",
                "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", .asyncHTTPClient, .coreMetrics, .crypto, .cryptoExtras, .httpTypes,
                .hummingbird, .hummingbirdCore, .logging, .metrics, .nioCore, .nioHTTP1, .nioHTTPTypes, .nioPosix, .nioSSL, .nioTLS,
                .serviceLifecycle, .unixSignals,
            ]),
        // What a server tells the back ends of those it serves.
        library(
            "BillfoldEvents",
            [
                "BillfoldJSON", "PaymentCrypto", "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer", .crypto,
                .httpTypes,
                .hummingbird, .logging, .serviceLifecycle,
            ]),
        library(
            "CardPaymentsServer",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "ApplePay", "UnionPay",
                "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer", "BillfoldEvents", "BillfoldArchive", .crypto,
                .httpTypes, .hummingbird, .logging, .metrics, .serviceLifecycle,
            ], resources: [.copy("Resources")]),
        library(
            "ProvisioningServer",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "CustomerLanguages", "ApplePay",
                "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer", "BillfoldEvents", .crypto, .httpTypes,
                .hummingbird, .logging, .metrics, .serviceLifecycle,
            ], resources: [.copy("Resources")]),
        library(
            "AlipayServer",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "PaymentCryptoIssuing", "Alipay",
                "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer", "BillfoldArchive", .crypto, .httpTypes,
                .hummingbird, .logging, .metrics, .serviceLifecycle,
            ], resources: [.copy("Resources")]),
        library(
            "AlipayPlusServer",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "AlipayPlusValues", "AlipayPlus",
                "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer", .crypto, .httpTypes, .hummingbird, .logging,
                .metrics, .nioCore, .serviceLifecycle,
            ], resources: [.copy("Resources")]),
        library(
            "WalletServer",
            [
                "BillfoldCalendar", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "Alipay",
                "AlipayPlusValues", "AlipayPlus", "MiniPrograms", "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer",
                "MiniProgramZip", .crypto, .httpTypes, .hummingbird, .logging, .metrics, .nioCore, .serviceLifecycle,
            ], resources: [.copy("Resources")]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev", "zlib1g-dev"])]),
        library("BillfoldArchive", ["BillfoldDiagnosis", "CArchive"]),
        // What a platform, an author's tools and a container have in common: packages as zip archives.
        library("MiniProgramZip", ["MiniPrograms", "BillfoldArchive"]),
        library(
            "BillfoldSandbox",
            [
                "BillfoldConcurrency", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "ApplePay",
                "ApplePayForging", "UnionPay", "Alipay", "AlipayPlusValues", "AlipayPlus", "MiniPrograms", "PassKitSimulator",
                "ApplePayApp", "UnionPayApp", "AlipayApp",
                "AlipayPlusApp", "WalletAPI", "CodeReader", "AppContainer", "BillfoldStorage", "BillfoldWeb", "BillfoldArchive",
                "MiniProgramZip", .asn1, .asyncHTTPClient, .crypto, .cryptoExtras, .httpTypes, .hummingbird, .logging, .nioCore, .nioHTTP1,
                .serviceLifecycle, .x509,
            ], resources: [.copy("MiniProgramAuthor/Programs"), .copy("Resources")]),
        // Linked by the program, never by a library: its allocator overwrites what is given back. mimalloc spends half the time of glibc's on
        // blocks of more than a thousand bytes, which every request has.
        .target(name: "CWipeOnFree", linkerSettings: [.linkedLibrary("mimalloc", .when(platforms: [.linux]))]),
        // Says the commit, which is in one file of C, so that nothing else is compiled when it changes.
        .target(name: "CBuildStamp"),
        .executableTarget(
            name: "billfold",
            dependencies: [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "PaymentCryptoOpenSSL",
                "PaymentCryptoPKCS11", "ApplePay", "ApplePayDiagnosis", "ApplePayForging", "UnionPay", "UnionPayDiagnosis", "Alipay",
                "AlipayDiagnosis", "AlipayPlusValues", "AlipayPlus", "AlipayPlusDiagnosis", "MiniPrograms", "MiniProgramsDiagnosis",
                "PassKitSimulator", "ApplePayApp", "UnionPayApp", "AlipayApp", "WalletAPI", "AppContainer",
                "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldStoragePostgreSQL", "BillfoldPayments", "BillfoldWeb",
                "BillfoldServer", "CardPaymentsServer", "ProvisioningServer", "AlipayServer", "AlipayPlusServer", "WalletServer",
                "MiniProgramZip", "BillfoldSandbox", "CWipeOnFree", "CBuildStamp", .argumentParser, .asn1, .asyncHTTPClient, .crypto,
                .cryptoExtras,
                .httpTypes, .hummingbird, .logging, .metrics, .nioCore, .nioHTTP1, .serviceLifecycle, .unixSignals, .x509,
            ],
            swiftSettings: settings),

        // Measures the package against the primitives it stands on: `make bench`.
        .executableTarget(
            name: "billfold-bench",
            dependencies: [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "PaymentCryptoIssuing",
                "PaymentCryptoOpenSSL", "PaymentCryptoPKCS11", "ApplePay", "ApplePayForging", "UnionPay", "Alipay", "AlipayPlusValues",
                "AlipayPlus", "MiniPrograms", "AppContainer", "billfold-mini-program", "BillfoldStorage", "BillfoldStorageSQLite",
                "BillfoldPayments", "BillfoldServer", "CardPaymentsServer", "ProvisioningServer", "AlipayServer", "AlipayPlusServer",
                "WalletServer", "CWipeOnFree", .asn1, .asyncHTTPClient, .crypto, .cryptoExtras, .grdbSQLite, .httpTypes, .hummingbird,
                .logging, .nioCore, .nioHTTP1, .nioPosix, .serviceLifecycle, .x509,
            ],
            path: "Benchmarks", swiftSettings: settings),

        // Tests.
        .target(
            name: "BillfoldTestSupport",
            dependencies: [
                "BillfoldDiagnosis", "PaymentCrypto", "PaymentCryptoIssuing", "BillfoldStorage", "BillfoldStorageSQLite",
                "BillfoldStoragePostgreSQL", .crypto, .grdbSQLite, .logging,
            ],
            path: "Tests/BillfoldTestSupport", swiftSettings: settings),
        .target(
            name: "BillfoldServerTestSupport",
            dependencies: [
                "BillfoldDiagnosis", "BillfoldJSON", "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer",
                "BillfoldTestSupport", .asyncHTTPClient, .crypto, .hummingbird, .logging, .nioCore, .nioHTTP1, .serviceLifecycle,
            ],
            path: "Tests/BillfoldServerTestSupport", swiftSettings: settings),
        tests("LayoutTests", [], support: false),
        tests("BillfoldConcurrencyTests", ["BillfoldConcurrency"], support: false),
        tests("BillfoldMoneyTests", ["BillfoldMoney"], support: false),
        tests(
            "BillfoldWebTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldTrace", "BillfoldWeb", "BillfoldServer", "CardPaymentsServer",
                "ProvisioningServer", "AlipayServer", "AlipayPlusServer", "WalletServer", "BillfoldSandbox",
            ], support: false),
        tests("BillfoldJSONTests", ["BillfoldJSON"], support: false),
        tests("BillfoldDiagnosisTests", ["BillfoldDiagnosis"], support: false),
        tests(
            "PaymentCryptoTests", ["PaymentCrypto", "PaymentCryptoIssuing", "PaymentCryptoOpenSSL", .asn1, .crypto, .cryptoExtras, .x509]),
        tests("PaymentCryptoPKCS11Tests", ["BillfoldDiagnosis", "PaymentCrypto", "PaymentCryptoOpenSSL", "PaymentCryptoPKCS11"]),
        tests(
            "ApplePayTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "PaymentCryptoIssuing", "PaymentCryptoOpenSSL",
                "ApplePay", "ApplePayDiagnosis", "ApplePayForging", .crypto,
            ]),
        tests(
            "UnionPayTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "PaymentCrypto", "PaymentCryptoOpenSSL", "UnionPay", "UnionPayDiagnosis",
                "BillfoldArchive", .asn1, .crypto, .cryptoExtras, .x509,
            ]),
        tests(
            "AlipayTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "PaymentCryptoIssuing", "PaymentCryptoOpenSSL",
                "Alipay", "AlipayDiagnosis", .crypto,
            ]),
        tests(
            "AlipayPlusTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "PaymentCryptoOpenSSL", "AlipayPlusValues",
                "AlipayPlus", "AlipayPlusDiagnosis", .crypto, .cryptoExtras,
            ]),
        tests("CustomerLanguagesTests", ["CustomerLanguages"], support: false),
        tests("UIKitSimulatorTests", ["UIKitSimulator"], support: false),
        tests("OSLogSimulatorTests", ["OSLogSimulator"], support: false),
        tests("UnionPayAppTests", ["BillfoldDiagnosis", "UIKitSimulator", "PassKitSimulator", "UnionPayApp"], support: false),
        tests("AlipayAppTests", ["BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "Alipay", "UIKitSimulator", "AlipayApp"]),
        tests("AlipayPlusAppTests", ["BillfoldMoney", "BillfoldDiagnosis", "AlipayPlusValues", "AlipayPlusDiagnosis", "AlipayPlusApp"]),
        tests(
            "MiniProgramsTests",
            [
                "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "MiniPrograms", "MiniProgramsDiagnosis", "BillfoldArchive",
            ], support: false),
        // A worker whose engine was taken over; see WorkerSandboxTests.
        .target(name: "CNativeAttacks", path: "Tests/NativeAttacks"),
        .executableTarget(
            name: "billfold-hostile-worker", dependencies: ["AppContainer", "CNativeAttacks"], path: "Tests/HostileWorker",
            swiftSettings: settings),
        tests(
            "AppContainerTests",
            [
                "BillfoldJSON", "PaymentCrypto", "MiniPrograms", "WalletAPI", "AppContainer", "billfold-mini-program", "BillfoldArchive",
                "billfold-hostile-worker", .crypto,
            ], support: false),
        tests(
            "GriverSimulatorTests", ["BillfoldJSON", "MiniPrograms", "AppContainer", "UIKitSimulator", "GriverSimulator"], support: false),
        // The examples of the products' pages; see ExampleTests.
        tests(
            "ExamplesTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "PaymentCryptoIssuing",
                "PaymentCryptoOpenSSL", "PaymentCryptoPKCS11", "ApplePay", "ApplePayDiagnosis", "ApplePayForging", "UnionPay",
                "UnionPayDiagnosis", "Alipay", "AlipayDiagnosis", "AlipayPlusValues", "AlipayPlus", "AlipayPlusDiagnosis", "MiniPrograms",
                "MiniProgramsDiagnosis", "CustomerLanguages", "UIKitSimulator", "ContactsSimulator", "PassKitSimulator", "ApplePayApp",
                "WebKitSimulator", "OSLogSimulator", "UnionPayApp", "AlipayApp",
                "AlipayPlusApp", "WalletAPI", "IAPWalletContext", "CodeReader", "AppContainer", "GriverSimulator", "GriverSDK",
                "ACGriverCore", "IAPConnect", "GRVAppContainer", "AriverKernel", "UPPaymentControl", "UPAPayPlugin", "BillfoldStorage",
                "BillfoldStorageSQLite", "BillfoldStoragePostgreSQL", "BillfoldPayments",
                "BillfoldWeb", "BillfoldServer", "CardPaymentsServer", "ProvisioningServer", "AlipayServer", "AlipayPlusServer",
                "WalletServer", .asn1, .crypto, .cryptoExtras, .httpTypes, .hummingbird, .logging, .serviceLifecycle, .x509,
            ]),
        tests("CodeReaderTests", ["WalletAPI", "CodeReader", "BillfoldWeb"]),
        tests("WalletAPITests", ["BillfoldDiagnosis", "WalletAPI", "IAPWalletContext"], support: false),
        tests(
            "AlipayServerTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "Alipay", "BillfoldStorage",
                "BillfoldPayments", "BillfoldWeb", "BillfoldServer", "AlipayServer", "WalletServer", "BillfoldArchive",
                "BillfoldServerTestSupport", .crypto, .httpTypes, .hummingbird, .hummingbirdTesting, .logging, .nioCore,
            ]),
        tests(
            "AlipayPlusServerTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "AlipayPlusValues", "AlipayPlus",
                "ApplePayApp", "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer", "AlipayPlusServer",
                "BillfoldSandbox", "BillfoldServerTestSupport", .asyncHTTPClient, .crypto, .httpTypes, .hummingbird, .hummingbirdTesting,
                .logging, .nioCore,
            ]),
        tests(
            "WalletServerTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "PaymentCryptoOpenSSL",
                "AlipayPlusValues", "AlipayPlus", "MiniPrograms", "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer",
                "WalletServer", "BillfoldArchive", "BillfoldServerTestSupport", .crypto, .httpTypes, .hummingbird, .hummingbirdTesting,
                .logging, .nioCore,
            ]),
        tests(
            "ApplePayAppTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "PaymentCrypto", "PaymentCryptoOpenSSL", "ApplePay", "ApplePayForging",
                "PassKitSimulator", "ApplePayApp",
            ]),
        // Writes until a test kills it; see PowerCutTests.
        .executableTarget(
            name: "billfold-storage-driver",
            dependencies: [
                "BillfoldDiagnosis", "BillfoldStorage", "BillfoldStorageSQLite", "CLibpq", "BillfoldStoragePostgreSQL", .grdbSQLite,
                .logging,
            ],
            path: "Tests/StorageDriver", swiftSettings: settings),
        tests(
            "BillfoldStorageTests",
            ["BillfoldDiagnosis", "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldStoragePostgreSQL", "billfold-storage-driver"]),
        tests("BillfoldPaymentsTests", ["BillfoldMoney", "BillfoldStorage", "BillfoldPayments", .crypto, .logging]),
        tests(
            "BillfoldServerTests",
            [
                "BillfoldDiagnosis", "BillfoldTrace", "BillfoldStorage", "BillfoldPayments", "BillfoldWeb",
                "BillfoldServer", "BillfoldServerTestSupport", .asn1, .asyncHTTPClient, .crypto, .cryptoExtras, .httpTypes, .hummingbird,
                .logging, .metrics, .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .serviceLifecycle, .x509,
            ]),
        tests(
            "BillfoldEventsTests",
            [
                "BillfoldJSON", "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer", "BillfoldEvents", .crypto,
                .httpTypes, .hummingbird, .hummingbirdTesting, .logging,
            ]),
        tests(
            "CardPaymentsServerTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "ApplePay", "ApplePayForging",
                "UnionPay", "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldPayments", "BillfoldWeb", "BillfoldServer",
                "BillfoldEvents",
                "CardPaymentsServer", "BillfoldArchive", "BillfoldServerTestSupport", .asn1, .crypto, .cryptoExtras, .httpTypes,
                .hummingbird, .hummingbirdTesting, .logging, .x509,
            ]),
        tests(
            "ProvisioningServerTests",
            [
                "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "PaymentCryptoOpenSSL", "CustomerLanguages",
                "ApplePay", "ApplePayForging", "BillfoldStorage", "BillfoldPayments", "BillfoldWeb", "BillfoldServer", "BillfoldEvents",
                "ProvisioningServer", "BillfoldServerTestSupport", .crypto, .httpTypes, .hummingbird, .hummingbirdTesting, .logging,
            ]),
        tests(
            "BillfoldSandboxTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "PaymentCryptoOpenSSL", "ApplePay",
                "ApplePayForging", "UnionPay", "Alipay", "AlipayPlusValues", "MiniPrograms", "PassKitSimulator",
                "ApplePayApp", "UnionPayApp", "AlipayApp", "WalletAPI", "AppContainer", "BillfoldStorage", "BillfoldWeb", "BillfoldArchive",
                "MiniProgramZip", "BillfoldSandbox", .asn1, .asyncHTTPClient, .crypto, .cryptoExtras, .httpTypes, .hummingbird,
                .hummingbirdTesting, .logging, .nioCore, .x509,
            ]),
        // A sixth capability beside the five, as somebody would add one.
        tests(
            "SixthCapabilityTests",
            [
                "BillfoldJSON", "BillfoldTrace", "BillfoldStorage", "BillfoldWeb", "BillfoldServer", "billfold", .asyncHTTPClient,
                .httpTypes,
                .hummingbird, .nioCore, .nioHTTP1, .serviceLifecycle,
            ], resources: [.copy("Resources")]),
        tests(
            "BillfoldCommandTests",
            [
                "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "PaymentCryptoIssuing", "PaymentCryptoOpenSSL",
                "ApplePay", "ApplePayForging", "UnionPay", "UnionPayDiagnosis", "Alipay", "AlipayPlus", "MiniPrograms",
                "MiniProgramsDiagnosis", "PassKitSimulator", "AppContainer",
                "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldPayments", "BillfoldServer", "AlipayServer", "AlipayPlusServer",
                "ProvisioningServer", "WalletServer", "BillfoldArchive", "MiniProgramZip", "BillfoldSandbox", "billfold",
                "billfold-hostile-worker",
                .argumentParser, .asn1, .asyncHTTPClient, .hummingbird, .logging, .nioCore, .nioHTTP1, .serviceLifecycle, .x509,
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
