package org.aspas.appserver.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The file {@code openapi.yaml}: the HTTP API for programs that read such descriptions. */
final class ApiDescription {
    private static final String FILE = "openapi.yaml";

    private ApiDescription() {}

    static byte[] bytes() {
        try (InputStream file = ApiDescription.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException("the program is not whole: " + FILE + " is missing");
            }
            return file.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
