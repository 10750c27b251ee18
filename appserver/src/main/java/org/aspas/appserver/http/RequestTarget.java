package org.aspas.appserver.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a request line asks for, read from the bytes as they arrived. Akka's own view of a URI will not do: it has lost empty
 * segments and dot segments, so that {@code /v1/counters/x/../y} would be the counter {@code y}, and it puts U+FFFD where bytes
 * are not UTF-8, so that two keys would become one.
 *
 * @param path the segments, decoded; none for {@code /}
 * @param query the parameters in the order of the query, decoded
 */
record RequestTarget(List<String> path, List<Parameter> query) {
    private static final Pattern SCHEME_AND_AUTHORITY = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*");
    private static final RequestTarget SERVER = new RequestTarget(List.of("*"), List.of());

    /** One parameter of a query; the value is empty where there is none. */
    record Parameter(String name, String value) {}

    RequestTarget {
        path = List.copyOf(path);
        query = List.copyOf(query);
    }

    /**
     * Reads a request target, in origin form, absolute form or asterisk form (RFC 9112, section 3.2).
     *
     * @throws ProblemException when a segment is empty or a dot segment, or something is not percent-encoded UTF-8
     */
    static RequestTarget of(String raw) {
        if (raw.equals("*")) {
            return SERVER;
        }
        String origin = SCHEME_AND_AUTHORITY.matcher(raw).replaceFirst("");
        int question = origin.indexOf('?');
        String path = question < 0 ? origin : origin.substring(0, question);
        String query = question < 0 ? "" : origin.substring(question + 1);
        return new RequestTarget(segments(path), parameters(query));
    }

    /** Whether it is {@code *}: the server as a whole. */
    boolean isServer() {
        return this == SERVER;
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        if (path.isEmpty() || path.equals("/")) {
            return segments;
        }
        for (String segment : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1)) {
            if (segment.isEmpty()) {
                throw new ProblemException(
                        Problem.badRequest("The path has an empty segment: two slashes in a row, or one at"
                                + " the end. A key has at least one character, and a slash in a key is written %2F."));
            }
            if (segment.equals(".") || segment.equals("..")) {
                throw new ProblemException(Problem.badRequest("The path has a segment '" + segment
                        + "', which might mean" + " another path. A dot that belongs to a key is written %2E."));
            }
            segments.add(decoded(segment, "path"));
        }
        return segments;
    }

    private static List<Parameter> parameters(String query) {
        List<Parameter> parameters = new ArrayList<>();
        if (query.isEmpty()) {
            return parameters;
        }
        for (String one : query.split("&", -1)) {
            int equals = one.indexOf('=');
            String name = equals < 0 ? one : one.substring(0, equals);
            String value = equals < 0 ? "" : one.substring(equals + 1);
            parameters.add(
                    new Parameter(decoded(name.replace('+', ' '), "query"), decoded(value.replace('+', ' '), "query")));
        }
        return parameters;
    }

    private static String decoded(String text, String part) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            if (letter >= 0x80) {
                throw new ProblemException(
                        Problem.badRequest("The " + part + " has bytes that must be percent-encoded, such as %C3%A9."));
            }
            if (letter != '%') {
                bytes.write(letter);
                continue;
            }
            int high = at + 2 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
            int low = at + 2 < text.length() ? Character.digit(text.charAt(at + 2), 16) : -1;
            if (high < 0 || low < 0) {
                throw new ProblemException(Problem.badRequest("The " + part
                        + " has a % without two hexadecimal digits after it; a % itself is written %25."));
            }
            bytes.write(high << 4 | low);
            at += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException other) {
            throw new ProblemException(Problem.notUnicode("The " + part));
        }
    }
}
