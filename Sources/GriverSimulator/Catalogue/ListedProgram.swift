/// One mini program of the platform's list.
public struct ListedProgram: Sendable, Hashable {
    /// A category with its second and third level, each a name and an id.
    public struct Category: Sendable, Hashable {
        /// A name, and the platform's id of it.
        public struct Level: Sendable, Hashable {
            public var name: String
            public var id: String

            public init(name: String, id: String) {
                self.name = name
                self.id = id
            }
        }

        /// From one to three.
        public var levels: [Level]

        public init(_ levels: [Level]) { self.levels = levels }
    }

    public var appID: String
    public var name: String
    public var slogan: String
    public var introduction: String
    public var iconURL: String
    /// `major.minor.patch.<time stamp>`; the author's version is what stands before the time.
    public var releaseVersion: String
    /// Whether a part of the users get it so far.
    public var isGrayscale: Bool
    /// In bytes.
    public var packageSize: Int64
    /// Milliseconds since 1970, as the next.
    public var created: Int64
    public var firstPublished: Int64
    public var categories: [Category]

    public init(
        appID: String, name: String, slogan: String = "", introduction: String = "", iconURL: String = "", releaseVersion: String,
        isGrayscale: Bool = false, packageSize: Int64 = 0, created: Int64 = 0, firstPublished: Int64 = 0, categories: [Category] = []
    ) {
        self.appID = appID
        self.name = name
        self.slogan = slogan
        self.introduction = introduction
        self.iconURL = iconURL
        self.releaseVersion = releaseVersion
        self.isGrayscale = isGrayscale
        self.packageSize = packageSize
        self.created = created
        self.firstPublished = firstPublished
        self.categories = categories
    }
}
