package org.aspas.appserver.http;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The web pages that may use a server's client port, by the origin that a browser names for them (RFC 6454, section 6.2:
 * {@code scheme://host} or {@code scheme://host:port}). They have nothing to do with the origins of entries. Immutable.
 *
 * @param list the origins, as browsers write them; empty for no page at all
 */
public record WebOrigins(Set<String> list) {
    public static final WebOrigins NONE = new WebOrigins(Set.of());

    private static final Pattern ORIGIN =
            Pattern.compile("[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\\[[0-9a-f:.]+\\])(:[1-9][0-9]{0,4})?");

    /** What a browser leaves out. An origin written with it would never be met. */
    private static final List<Pattern> DEFAULT_PORTS =
            List.of(Pattern.compile("(http|ws)://.*:80"), Pattern.compile("(https|wss)://.*:443"));

    /**
     * Checks every origin.
     *
     * @throws IllegalArgumentException with one sentence that names the first one that no browser would send
     */
    public WebOrigins {
        list = Set.copyOf(list);
        list.forEach(WebOrigins::check);
    }

    /** These origins; one that is given twice counts once. */
    public static WebOrigins of(Collection<String> origins) {
        return new WebOrigins(Set.copyOf(origins));
    }

    private static void check(String origin) {
        if (!ORIGIN.matcher(origin).matches()) {
            throw new IllegalArgumentException("'" + origin
                    + "' is no origin: scheme://host or scheme://host:port, in lower case, with nothing after it");
        }
        if (DEFAULT_PORTS.stream().anyMatch(port -> port.matcher(origin).matches())) {
            throw new IllegalArgumentException(
                    "'" + origin + "' names its scheme's own port, which browsers leave out of an origin");
        }
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    boolean contains(String origin) {
        return list.contains(origin);
    }
}
