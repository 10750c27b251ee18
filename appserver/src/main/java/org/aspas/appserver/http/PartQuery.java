package org.aspas.appserver.http;

import java.util.HexFormat;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ReadPart;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The part of an object that a URI asks for: {@code element=JSON}, or {@code page=first}, or {@code page=PATH} with {@code
 * certificate=NUMBER}, both as the page before told.
 */
final class PartQuery {
    private PartQuery() {}

    /** The part; null for the whole object. */
    static @Nullable ReadPart of(RoutedRequest request) {
        Optional<String> element = request.value(QueryParameter.ELEMENT);
        Optional<String> page = request.value(QueryParameter.PAGE);
        if (element.isPresent() && page.isPresent()) {
            throw new ProblemException(Problem.badRequest("A read is of an element or of a page: the query has both."));
        }
        if (page.isEmpty() && request.has(QueryParameter.CERTIFICATE)) {
            throw new ProblemException(Problem.badRequest(
                    "The parameter certificate goes with a page: it says of which certificate the page is."));
        }
        if (element.isPresent()) {
            return ReadPart.element(element(element.get()));
        }
        return page.isEmpty() ? null : ReadPart.page(path(page.get()), certificate(request));
    }

    private static Value element(String text) {
        return JsonForms.element(StrictJson.read(text, "The parameter element"))
                .orElseThrow(() -> new ProblemException(
                        Problem.badRequest("The parameter element is not " + JsonForms.ELEMENTS + ".")));
    }

    static Hash path(String text) {
        if (text.equals("first")) {
            return Hash.ZERO;
        }
        if (!text.matches("[0-9a-f]{64}")) {
            throw new ProblemException(
                    Problem.badRequest("The parameter page is 'first', or what the page before names as next."));
        }
        return Hash.of(HexFormat.of().parseHex(text));
    }

    static CertificateNumber certificate(RoutedRequest request) {
        String text = request.value(QueryParameter.CERTIFICATE).orElse("0");
        if (!text.matches("[0-9]{1,18}")) {
            throw new ProblemException(
                    Problem.badRequest("The parameter certificate is a number of at most 18 digits."));
        }
        return new CertificateNumber(Long.parseLong(text));
    }
}
