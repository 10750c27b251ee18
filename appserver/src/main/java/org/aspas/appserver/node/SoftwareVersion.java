package org.aspas.appserver.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this program, as its build wrote it down. */
public final class SoftwareVersion {
    private static final String FILE = "build.properties";

    private SoftwareVersion() {}

    /** The version, such as {@code 0.1.0}. */
    public static String text() {
        Properties build = new Properties();
        try (InputStream file = SoftwareVersion.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException("the program is not whole: " + FILE + " is missing");
            }
            build.load(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return build.getProperty("version", "");
    }
}
