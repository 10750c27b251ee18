package org.aspas.emulab.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The pages of the tree: documents, and those of the whole, of modules and of clients. */
final class Pages {
    /** Where the tree begins. */
    static final Path ROOT = Path.of("../..");

    private static final int DEEPEST = 8;

    private Pages() {}

    /** Every page that is not what a build or a package manager put there. */
    static List<Path> all() throws IOException {
        try (Stream<Path> files =
                Files.find(ROOT, DEEPEST, (path, file) -> file.isRegularFile() && isPage("/" + nameOf(path)))) {
            return files.toList();
        }
    }

    /** The path of a page in the tree, such as {@code docs/http.md}. */
    static String nameOf(Path page) {
        return ROOT.relativize(page).toString();
    }

    private static boolean isPage(String path) {
        return path.endsWith(".md")
                && Stream.of("/target/", "/node_modules/", "/.").noneMatch(path::contains);
    }
}
