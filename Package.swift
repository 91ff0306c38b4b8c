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
    static let cryptoExtras: Self = .product(name: "CryptoExtras", package: "swift-crypto")
    static let x509: Self = .product(name: "X509", package: "swift-certificates")

    /// A product of a package that only servers, the sandbox and tests need. A consumer without the trait does not even resolve it, as long as
    /// no target names such a product in another way.
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
        .library(name: "PaymentCryptoOpenSSL", targets: ["PaymentCryptoOpenSSL"]),
        .library(name: "PaymentCryptoPKCS11", targets: ["PaymentCryptoPKCS11"]),
        .library(name: "ApplePay", targets: ["ApplePay"]),
        .library(name: "UnionPay", targets: ["UnionPay"]),
        .library(name: "Alipay", targets: ["Alipay"]),
        .library(name: "AlipayPlus", targets: ["AlipayPlus"]),
        .library(name: "MiniPrograms", targets: ["MiniPrograms"]),
        .library(name: "PassKitSimulator", targets: ["PassKitSimulator"]),
        .library(name: "ApplePayApp", targets: ["ApplePayApp"]),
        .library(name: "AlipayApp", targets: ["AlipayApp"]),
        .library(name: "AlipayPlusApp", targets: ["AlipayPlusApp"]),
        .library(name: "WalletAPI", targets: ["WalletAPI"]),
        .library(name: "AppContainer", targets: ["AppContainer"]),
        .library(name: "IAPWalletContext", targets: ["IAPWalletContext"]),
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
        library("BillfoldLock"),
        library("BillfoldMoney"),
        library("BillfoldDiagnosis", ["BillfoldLock"]),
        library("BillfoldJSON", ["BillfoldLock"]),
        library("BillfoldTrace", ["BillfoldDiagnosis"]),

        // Cryptography. The OpenSSL half is for servers and the doctor only.
        library("PaymentCrypto", ["BillfoldLock", .crypto, .cryptoExtras]),
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        library("PaymentCryptoOpenSSL", ["PaymentCrypto", "CLibcrypto", .crypto]),
        .systemLibrary(name: "CP11Kit", pkgConfig: "p11-kit-1", providers: [.apt(["libp11-kit-dev"])]),
        library("PaymentCryptoPKCS11", ["PaymentCrypto", "BillfoldDiagnosis", "CP11Kit", .cryptoExtras]),

        // One protocol each: no input or output, no clock.
        library("ApplePay", ["BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldLock", "PaymentCrypto", .crypto]),
        library(
            "UnionPay", ["BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldLock", "PaymentCrypto", .crypto, .x509, .asn1]),
        library("Alipay", ["BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", .crypto]),
        library("AlipayPlus", ["BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", .crypto]),
        library("MiniPrograms", ["BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", .crypto]),

        // What runs in the phone's app, and PassKit in software.
        library("PassKitSimulator", ["BillfoldLock"]),
        library("ApplePayApp", ["BillfoldMoney", "BillfoldDiagnosis", "BillfoldLock", "PassKitSimulator"]),
        library("AlipayApp", ["Alipay", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldLock", "PaymentCrypto", .crypto]),
        library("AlipayPlusApp", ["AlipayPlus", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON"]),
        library("WalletAPI", ["BillfoldDiagnosis", "BillfoldLock"]),
        library("IAPWalletContext", ["WalletAPI"]),
        .systemLibrary(name: "CZXing", pkgConfig: "zxing", providers: [.apt(["libzxing-dev"])]),
        .systemLibrary(name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
        .target(
            name: "CCodeReader", dependencies: ["CZXing", "CGdkPixbuf"],
            linkerSettings: [.linkedLibrary("ZXing"), .linkedLibrary("gdk_pixbuf-2.0"), .linkedLibrary("gobject-2.0")]),
        library("CodeReader", ["CCodeReader", "WalletAPI"]),
        .systemLibrary(
            name: "CJavaScriptCore", pkgConfig: "javascriptcoregtk-4.1", providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]),
        // What a worker takes from itself before it runs a script.
        .target(name: "CWorkerSandbox"),
        library(
            "AppContainer",
            [
                "MiniPrograms", "WalletAPI", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldLock", "PaymentCrypto", .crypto,
                .target(name: "CJavaScriptCore", condition: .when(platforms: [.linux])),
                .target(name: "CWorkerSandbox", condition: .when(platforms: [.linux])),
            ],
            // The logic's own scripts are part of the binary: nothing has to be found at run time.
            resources: (["core", "modules", "data", "pages", "components", "my"].map { "Logic/Scripts/\($0)" } + ["Web/bridge"])
                .map { .embedInCode("\($0).js") }),
        // One mini program in a process of its own; the container starts it.
        .executableTarget(
            name: "billfold-mini-program", dependencies: ["AppContainer"], path: "Sources/MiniProgramWorker", swiftSettings: settings),

        // Storage.
        library("BillfoldStorage", [.logging]),
        library("BillfoldStorageSQLite", ["BillfoldStorage", .grdb, .grdbSQLite, .logging]),
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        library("BillfoldStoragePostgreSQL", ["BillfoldStorage", "BillfoldDiagnosis", "CLibpq", .logging]),

        // Payments, servers and pages.
        library("BillfoldPayments", ["BillfoldMoney", "BillfoldStorage", "PaymentCrypto", .crypto, .logging, .serviceLifecycle]),
        .systemLibrary(name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        library(
            "BillfoldWeb", ["BillfoldMoney", "BillfoldDiagnosis", "BillfoldTrace", "CQRencode", .mustache], resources: [.copy("Resources")]),
        library(
            "BillfoldServer",
            [
                "BillfoldStorage", "BillfoldTrace", "BillfoldWeb", "BillfoldPayments", "BillfoldMoney", "BillfoldJSON", "PaymentCrypto",
                .hummingbird, .hummingbirdCore, .nioCore, .nioPosix, .nioHTTP1, .nioHTTPTypes, .nioSSL, .nioTLS, .logging, .metrics,
                .serviceLifecycle, .unixSignals, .asyncHTTPClient, .crypto, .cryptoExtras, .httpTypes,
            ]),
        library(
            "CardPaymentsServer",
            [
                "BillfoldServer", "BillfoldPayments", "BillfoldStorage", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldTrace",
                "BillfoldJSON", "ApplePay", "UnionPay", "PaymentCrypto", "BillfoldArchive", "BillfoldWeb",
                .hummingbird, .logging, .metrics, .serviceLifecycle, .asyncHTTPClient, .crypto, .httpTypes, .nioCore,
            ], resources: [.copy("Resources")]),
        library(
            "ProvisioningServer",
            [
                "BillfoldServer", "BillfoldPayments", "BillfoldStorage", "BillfoldDiagnosis", "BillfoldTrace", "BillfoldWeb",
                "BillfoldJSON", "ApplePay",
                "PaymentCrypto", .hummingbird, .logging, .metrics, .serviceLifecycle, .crypto, .httpTypes, .nioCore,
            ], resources: [.copy("Resources")]),
        library(
            "AlipayServer",
            [
                "BillfoldServer", "BillfoldPayments", "BillfoldStorage", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldTrace",
                "BillfoldWeb",
                "BillfoldJSON", "Alipay", "PaymentCrypto", "BillfoldArchive",
                .hummingbird, .logging, .metrics, .serviceLifecycle, .crypto, .httpTypes, .nioCore,
            ], resources: [.copy("Resources")]),
        library(
            "AlipayPlusServer",
            [
                "BillfoldServer", "BillfoldPayments", "BillfoldStorage", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldTrace",
                "BillfoldWeb", "BillfoldJSON", "AlipayPlus", "PaymentCrypto",
                .hummingbird, .logging, .metrics, .serviceLifecycle, .crypto, .httpTypes, .nioCore,
            ], resources: [.copy("Resources")]),
        library(
            "WalletServer",
            [
                "BillfoldServer", "BillfoldPayments", "BillfoldStorage", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldTrace",
                "BillfoldWeb",
                "Alipay", "AlipayPlus", "MiniPrograms", "MiniProgramZip", "BillfoldArchive", "BillfoldJSON", "PaymentCrypto",
                .hummingbird, .logging, .metrics, .serviceLifecycle, .crypto, .httpTypes, .nioCore,
            ], resources: [.copy("Resources")]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev", "zlib1g-dev"])]),
        library("BillfoldArchive", ["CArchive"]),
        // What a platform, an author's tools and a container have in common: packages as zip archives.
        library("MiniProgramZip", ["MiniPrograms", "BillfoldArchive"]),
        library(
            "BillfoldSandbox",
            [
                "ApplePay", "UnionPay", "Alipay", "AlipayPlus", "MiniPrograms", "ApplePayApp", "AlipayApp", "AlipayPlusApp", "WalletAPI",
                "AppContainer", "CodeReader", "PassKitSimulator", "BillfoldMoney", "BillfoldDiagnosis",
                "BillfoldJSON", "BillfoldTrace", "BillfoldStorage", "BillfoldWeb", "BillfoldArchive", "MiniProgramZip", "PaymentCrypto",
                .hummingbird, .logging, .serviceLifecycle, .asyncHTTPClient, .crypto, .cryptoExtras, .x509, .asn1, .httpTypes, .nioCore,
                .nioHTTP1,
            ], resources: [.copy("MiniProgramAuthor/Programs"), .copy("Resources")]),
        // Linked by the program, never by a library: its allocator overwrites what is given back. mimalloc spends half the time of glibc's on
        // blocks of more than a thousand bytes, which every request has.
        .target(name: "CWipeOnFree", linkerSettings: [.linkedLibrary("mimalloc", .when(platforms: [.linux]))]),
        .executableTarget(
            name: "billfold",
            dependencies: [
                "CWipeOnFree",
                "CardPaymentsServer", "ProvisioningServer", "AlipayServer", "AlipayPlusServer", "WalletServer", "BillfoldServer",
                "BillfoldSandbox", "BillfoldStorageSQLite",
                "BillfoldStoragePostgreSQL",
                "BillfoldStorage", "BillfoldPayments", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "BillfoldWeb",
                "ApplePay", "UnionPay", "Alipay", "AlipayPlus", "PaymentCrypto", "PaymentCryptoOpenSSL", "PaymentCryptoPKCS11",
                "BillfoldArchive", "AppContainer", "MiniPrograms", "MiniProgramZip", "WalletAPI",
                "ApplePayApp", "AlipayApp", "AlipayPlusApp", "PassKitSimulator", .argumentParser, .logging, .metrics, .serviceLifecycle,
                .unixSignals,
                .asyncHTTPClient,
                .crypto,
                .cryptoExtras, .x509,
                .asn1, .hummingbird, .httpTypes, .nioCore, .nioHTTP1,
            ],
            swiftSettings: settings),

        // Measures the package against the primitives it stands on: `make bench`.
        .executableTarget(
            name: "billfold-bench",
            dependencies: [
                "CWipeOnFree", "PaymentCryptoPKCS11", "ProvisioningServer", "CardPaymentsServer", "AlipayServer", "AlipayPlusServer",
                "BillfoldServer", "BillfoldTrace", "Alipay", "AlipayPlus", "BillfoldPayments", "BillfoldStorage", "BillfoldStorageSQLite",
                "BillfoldMoney", "PaymentCrypto", "PaymentCryptoOpenSSL", "ApplePay", "UnionPay", "BillfoldDiagnosis", "AppContainer",
                "BillfoldJSON",
                "billfold-mini-program", "WalletServer", "MiniPrograms",
                .grdbSQLite, .asn1, .crypto, .cryptoExtras, .x509, .logging, .hummingbird,
                .httpTypes,
                .nioCore, .nioHTTP1, .nioPosix, .serviceLifecycle, .asyncHTTPClient,
            ],
            path: "Benchmarks", swiftSettings: settings),

        // Tests.
        .target(
            name: "BillfoldTestSupport",
            dependencies: [
                "PaymentCrypto", "PaymentCryptoOpenSSL", "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldStoragePostgreSQL",
                "BillfoldDiagnosis",
                .crypto, .cryptoExtras, .x509, .asn1, .logging, .grdbSQLite,
            ],
            path: "Tests/BillfoldTestSupport", swiftSettings: settings),
        .target(
            name: "BillfoldServerTestSupport",
            dependencies: [
                "BillfoldTestSupport", "BillfoldServer", "BillfoldPayments", "BillfoldStorage", "BillfoldWeb", "BillfoldDiagnosis",
                "BillfoldJSON", .hummingbird, .asyncHTTPClient, .logging, .nioCore, .nioHTTP1, .serviceLifecycle, .crypto,
            ],
            path: "Tests/BillfoldServerTestSupport", swiftSettings: settings),
        tests("LayoutTests", [], support: false),
        tests("BillfoldMoneyTests", ["BillfoldMoney"], support: false),
        tests(
            "BillfoldWebTests",
            [
                "BillfoldWeb", "BillfoldServer", "BillfoldSandbox", "AlipayServer", "AlipayPlusServer", "WalletServer",
                "ProvisioningServer", "CardPaymentsServer", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldTrace",
            ], support: false),
        tests("BillfoldJSONTests", ["BillfoldJSON"], support: false),
        tests("BillfoldDiagnosisTests", ["BillfoldDiagnosis", "BillfoldTrace"], support: false),
        tests(
            "PaymentCryptoTests", ["PaymentCrypto", "PaymentCryptoOpenSSL", .crypto, .cryptoExtras, .x509, .asn1]),
        tests(
            "PaymentCryptoPKCS11Tests",
            ["PaymentCryptoPKCS11", "PaymentCrypto", "PaymentCryptoOpenSSL", "BillfoldDiagnosis", .cryptoExtras]),
        tests(
            "ApplePayTests",
            ["ApplePay", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "PaymentCryptoOpenSSL", .crypto]),
        tests(
            "UnionPayTests",
            [
                "UnionPay", "BillfoldMoney", "BillfoldDiagnosis", "PaymentCrypto", "PaymentCryptoOpenSSL", "BillfoldArchive", .crypto,
                .cryptoExtras, .x509, .asn1,
            ]),
        tests(
            "AlipayTests",
            [
                "Alipay", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "PaymentCryptoOpenSSL", .crypto,
                .cryptoExtras,
            ]),
        tests(
            "AlipayPlusTests",
            [
                "AlipayPlus", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "PaymentCryptoOpenSSL", .crypto,
                .cryptoExtras,
            ]),
        tests(
            "AlipayAppTests",
            ["AlipayApp", "Alipay", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", .crypto, .cryptoExtras]),
        tests("AlipayPlusAppTests", ["AlipayPlusApp", "AlipayPlus", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON"]),
        tests(
            "MiniProgramsTests", ["MiniPrograms", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldArchive", "PaymentCrypto"], support: false),
        // A worker whose engine was taken over; see WorkerSandboxTests.
        .target(name: "CNativeAttacks", path: "Tests/NativeAttacks"),
        .executableTarget(
            name: "billfold-hostile-worker", dependencies: ["AppContainer", "CNativeAttacks"], path: "Tests/HostileWorker",
            swiftSettings: settings),
        tests(
            "AppContainerTests",
            [
                "AppContainer", "MiniPrograms", "WalletAPI", "BillfoldDiagnosis", "BillfoldJSON", "PaymentCrypto", "BillfoldArchive",
                .crypto, .cryptoExtras, "billfold-mini-program", "billfold-hostile-worker",
            ], support: false),
        // The examples of the products' pages; see ExampleTests.
        tests(
            "ExamplesTests",
            [
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON", "BillfoldTrace", "PaymentCrypto", "PaymentCryptoOpenSSL",
                "PaymentCryptoPKCS11", "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldStoragePostgreSQL", "BillfoldPayments",
                "ApplePay", "UnionPay", "Alipay", "AlipayPlus", "MiniPrograms", "PassKitSimulator", "ApplePayApp", "AlipayApp",
                "AlipayPlusApp", "WalletAPI", "IAPWalletContext", "AppContainer", "CodeReader", "BillfoldWeb", "BillfoldServer",
                "CardPaymentsServer", "ProvisioningServer", "AlipayServer", "AlipayPlusServer", "WalletServer", .hummingbird, .httpTypes,
                .logging, .serviceLifecycle, .crypto, .cryptoExtras, .x509,
            ]),
        tests("CodeReaderTests", ["CodeReader", "WalletAPI", "BillfoldWeb"]),
        tests("WalletAPITests", ["WalletAPI", "IAPWalletContext", "BillfoldDiagnosis"], support: false),
        tests(
            "AlipayServerTests",
            [
                "BillfoldServerTestSupport", "BillfoldJSON",
                "AlipayServer", "WalletServer", "BillfoldServer", "BillfoldPayments", "BillfoldStorage", "BillfoldStorageSQLite",
                "BillfoldMoney", "BillfoldDiagnosis", "BillfoldTrace", "BillfoldWeb", "BillfoldArchive", "Alipay", "PaymentCrypto",
                "PaymentCryptoOpenSSL",
                .hummingbird, .hummingbirdTesting, .logging, .crypto, .cryptoExtras, .httpTypes, .nioCore, .serviceLifecycle,
            ]),
        tests(
            "AlipayPlusServerTests",
            [
                "BillfoldServerTestSupport", "AlipayPlusServer", "BillfoldServer", "BillfoldPayments", "BillfoldStorage",
                "BillfoldStorageSQLite", "BillfoldMoney",
                "BillfoldDiagnosis", "BillfoldTrace", "BillfoldWeb", "BillfoldJSON", "AlipayPlus", "PaymentCrypto", "BillfoldSandbox",
                "ApplePayApp",
                .hummingbird, .hummingbirdTesting, .logging, .crypto, .httpTypes, .nioCore, .serviceLifecycle,
            ]),
        tests(
            "WalletServerTests",
            [
                "BillfoldServerTestSupport", "WalletServer", "BillfoldServer", "BillfoldPayments", "BillfoldStorage",
                "BillfoldStorageSQLite", "BillfoldMoney",
                "BillfoldDiagnosis", "BillfoldTrace", "BillfoldWeb", "Alipay", "AlipayPlus", "MiniPrograms", "BillfoldArchive",
                "BillfoldJSON", "PaymentCrypto",
                .hummingbird, .hummingbirdTesting, .logging, .crypto, .httpTypes, .nioCore, .serviceLifecycle,
            ]),
        tests(
            "ApplePayAppTests",
            ["ApplePayApp", "PassKitSimulator", "ApplePay", "BillfoldMoney", "BillfoldDiagnosis", "PaymentCrypto", "PaymentCryptoOpenSSL"]),
        // Writes until a test kills it; see PowerCutTests.
        .executableTarget(
            name: "billfold-storage-driver",
            dependencies: [
                "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldStoragePostgreSQL", "BillfoldDiagnosis", "CLibpq", .grdbSQLite,
                .logging,
            ],
            path: "Tests/StorageDriver", swiftSettings: settings),
        tests(
            "BillfoldStorageTests",
            [
                "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldStoragePostgreSQL", "BillfoldDiagnosis", "billfold-storage-driver",
                .logging,
            ]),
        tests(
            "BillfoldPaymentsTests",
            ["BillfoldPayments", "BillfoldMoney", "BillfoldStorage", "BillfoldStorageSQLite", .grdbSQLite, .logging, .crypto]),
        tests(
            "BillfoldServerTests",
            [
                "BillfoldServerTestSupport", "BillfoldServer", "BillfoldTrace", "BillfoldWeb", "BillfoldStorage", "BillfoldStorageSQLite",
                "BillfoldPayments", "BillfoldMoney", "BillfoldDiagnosis", "BillfoldJSON",
                .hummingbird, .asyncHTTPClient, .httpTypes, .logging, .metrics, .nioCore, .nioPosix, .nioHTTP1, .nioSSL, .serviceLifecycle,
                .x509, .crypto, .cryptoExtras,
            ]),
        tests(
            "CardPaymentsServerTests",
            [
                "BillfoldServerTestSupport", "BillfoldJSON",
                "CardPaymentsServer", "BillfoldServer", "BillfoldPayments", "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldMoney",
                "BillfoldTrace", "ApplePay",
                "UnionPay", "PaymentCrypto", "BillfoldSandbox", .hummingbird, .hummingbirdTesting, .asyncHTTPClient, .logging, .crypto,
                .cryptoExtras, .x509, .asn1, .httpTypes, "BillfoldDiagnosis",
                "BillfoldArchive", "BillfoldWeb",
            ]),
        tests(
            "ProvisioningServerTests",
            [
                "BillfoldServerTestSupport", "BillfoldJSON",
                "ProvisioningServer", "BillfoldServer", "BillfoldPayments", "BillfoldStorage", "BillfoldStorageSQLite", "BillfoldDiagnosis",
                "BillfoldTrace", "BillfoldWeb", "ApplePay", "PaymentCrypto", "PaymentCryptoOpenSSL", .hummingbird, .hummingbirdTesting,
                .logging, .crypto,
                .httpTypes, .nioCore, .serviceLifecycle,
            ]),
        tests(
            "BillfoldSandboxTests",
            [
                "BillfoldJSON",
                "BillfoldSandbox", "MiniProgramZip", "WalletAPI", "AppContainer", "ApplePay", "UnionPay", "Alipay", "ApplePayApp",
                "AlipayApp", "PassKitSimulator", "BillfoldMoney",
                "BillfoldTrace",
                "BillfoldArchive", "PaymentCrypto", "PaymentCryptoOpenSSL", "BillfoldDiagnosis", "BillfoldStorage", "MiniPrograms",
                "AlipayPlus", .hummingbird, .hummingbirdTesting,
                .asyncHTTPClient, .logging, .crypto,
                .cryptoExtras, .x509, .asn1, .nioCore, .httpTypes,
            ]),
        // A sixth capability beside the five, as somebody would add one.
        tests(
            "SixthCapabilityTests",
            [
                "billfold", "BillfoldServer", "BillfoldStorage", "BillfoldWeb", "BillfoldJSON",
                .hummingbird, .asyncHTTPClient, .serviceLifecycle, .nioCore, .httpTypes,
            ], resources: [.copy("Resources")]),
        tests(
            "BillfoldCommandTests",
            [
                "BillfoldJSON",
                "billfold", "ApplePay", "UnionPay", "Alipay", "AlipayPlus", "BillfoldDiagnosis", "PaymentCrypto", "PaymentCryptoOpenSSL",
                "BillfoldSandbox", "AppContainer", "MiniPrograms", "MiniProgramZip", "BillfoldArchive", "WalletServer",
                "BillfoldServer", "BillfoldStorage", "BillfoldStorageSQLite", "PassKitSimulator", .crypto, .cryptoExtras, .x509, .asn1,
                .hummingbird, .asyncHTTPClient, .logging, .serviceLifecycle, .nioCore, .nioHTTP1, "billfold-hostile-worker",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
