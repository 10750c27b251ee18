package org.aspas.emulab.console.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The page's files, which are in the build. Thread-safe. */
final class PageFiles {
    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9_-]+/){0,4}[A-Za-z0-9_.-]+\\.([a-z0-9]+)");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml",
            "png", "image/png",
            "woff2", "font/woff2",
            "txt", "text/plain; charset=utf-8");

    private PageFiles() {}

    /**
     * A file.
     *
     * @param type its media type
     */
    record PageFile(String type, byte[] bytes) {}

    /** The file of a path; empty when there is none. */
    static Optional<PageFile> find(String path) throws IOException {
        String name = path.isEmpty() ? "index.html" : path;
        var parts = NAME.matcher(name);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String type = TYPES.get(parts.group(2));
        try (InputStream file = PageFiles.class.getResourceAsStream("/console/" + name)) {
            return type == null || file == null
                    ? Optional.empty()
                    : Optional.of(new PageFile(type, file.readAllBytes()));
        }
    }
}
