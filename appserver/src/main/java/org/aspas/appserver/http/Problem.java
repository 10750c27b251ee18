package org.aspas.appserver.http;

import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.MediaTypes;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.Connection;
import akka.http.javadsl.model.headers.RawHeader;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Refusal;

/**
 * An error as a problem document (RFC 9457).
 *
 * @param status the HTTP status, 400 to 599
 * @param name the last part of the type, in lower case with hyphens
 * @param title the kind of problem, always the same for one name
 * @param headers further headers of the response, by name
 */
record Problem(int status, String name, String title, String detail, Map<String, String> headers) {
    static final String TYPE_PREFIX = "urn:aspas:problem:";

    private static final akka.http.javadsl.model.ContentType TYPE =
            ContentTypes.create(MediaTypes.applicationWithFixedCharset(
                    "problem+json", akka.http.javadsl.model.HttpCharsets.UTF_8, "problem"));

    Problem(int status, String name, String title, String detail) {
        this(status, name, title, detail, Map.of());
    }

    static Problem badRequest(String detail) {
        return new Problem(400, "bad-request", "The request cannot be understood", detail);
    }

    static Problem notFound(String detail) {
        return new Problem(404, "not-found", "There is nothing here", detail);
    }

    static Problem notUnicode(String where) {
        return badRequest(where + " is not text in UTF-8: it has other bytes, or half of a surrogate pair.");
    }

    /** A header that two readers could take for different ones. The connection ends: nobody knows where its next request begins. */
    static Problem unreadableHeader(String name) {
        return new Problem(
                400,
                "bad-request",
                "The request cannot be understood",
                "The header " + name + " cannot be read: what is not ASCII in a header is UTF-8.",
                Map.of("Connection", "close"));
    }

    static Problem notAllowed(String method, String allowed) {
        return new Problem(
                405,
                "method-not-allowed",
                "The method does not fit the resource",
                "The resource does not take " + method + ". It takes " + allowed + ".",
                Map.of("Allow", allowed));
    }

    static Problem tooLarge(String detail) {
        return new Problem(413, "too-large", "Something is larger than the limits allow", detail);
    }

    static Problem tooLargeBody(int maxBytes) {
        return tooLarge("The body is larger than " + maxBytes + " bytes.");
    }

    static Problem foreignOrigin() {
        return new Problem(
                403,
                "origin-not-allowed",
                "Web pages of this origin may not use the server",
                "The request's Origin is not on the server's list (aspas appserver --allow-origin).");
    }

    static Problem jsonApiOff(JsonAccess access) {
        return new Problem(
                403,
                "json-api-off",
                "The JSON API is not for this request",
                access == JsonAccess.OFF
                        ? "This server serves no objects in JSON (aspas appserver --json-api)."
                        : "This server serves objects in JSON to programs on its own machine only"
                                + " (aspas appserver --json-api). The client library has no such bound.");
    }

    static Problem busy(String why) {
        return of(new Refusal(0, false, Refusal.Reason.BUSY, why));
    }

    /** The server does not know whether its state is right. */
    static Problem cannotVouch() {
        return busy("This server cannot vouch for its state now.");
    }

    static Problem unproved() {
        return badRequest("proof=true needs level=certified: nothing proves what is local.");
    }

    static Problem wrongType(String found, String wanted) {
        return of(new Refusal(0, false, Refusal.Reason.WRONG_TYPE, "the object is of type " + found), wanted);
    }

    static Problem notJson() {
        return new Problem(
                415,
                "not-json",
                "The body has another media type",
                "The body must be application/json, and the header Content-Type must say so.",
                Map.of("Accept", "application/json"));
    }

    static Problem compressed() {
        return new Problem(
                415,
                "compressed",
                "The body has a content coding",
                "Bodies are taken without a Content-Encoding only.",
                Map.of("Accept-Encoding", "identity"));
    }

    static Problem unprocessable(String detail) {
        return new Problem(422, "bad-operation", "The operation does not fit its datatype", detail);
    }

    static Problem unknownParameter(String name, Endpoint endpoint) {
        String allowed = endpoint.parameters().isEmpty()
                ? "it takes none"
                : "it takes "
                        + endpoint.parameters().stream()
                                .map(QueryParameter::described)
                                .collect(Collectors.joining(", "));
        return new Problem(
                422,
                "unknown-parameter",
                "The query has a parameter that the resource does not take",
                endpoint.method() + " " + endpoint.template() + " takes no parameter '" + name + "': " + allowed + ".");
    }

    static Problem repeatedParameter(String what) {
        return new Problem(
                422,
                "repeated-parameter",
                "The query has a parameter twice",
                "The query has the " + what + " more than once.");
    }

    static Problem unknownField(String name, Optional<String> allowed) {
        return new Problem(
                422,
                "unknown-field",
                "The body has a field that the operation does not take",
                "The operation takes no field '" + name + "': "
                        + allowed.map(one -> "it takes '" + one + "'").orElse("it takes none") + ".");
    }

    /** The core is silent, about an update or about a question. */
    static Problem timeout(boolean update) {
        return new Problem(
                504,
                "timeout",
                "The server did not answer in time",
                update ? "The update may still take effect." : "Nothing was changed; ask again.");
    }

    /** The certificate of a proof is not kept any more. */
    static Problem forgotten(CertificateNumber number) {
        return of(new Refusal(
                0, true, Refusal.Reason.MOVED_ON, "certificate " + number + " is not here any more: begin anew"));
    }

    static Problem slowBody() {
        return new Problem(408, "slow-body", "The body did not arrive in time", "Nothing was done.");
    }

    static Problem internal() {
        return new Problem(500, "internal", "The server failed", "The failure is in the server's log.");
    }

    static Problem of(Refusal refusal) {
        String name = refusal.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new Problem(statusOf(refusal.reason()), name, titleOf(refusal.reason()), refusal.detail());
    }

    /** The problem document for what the core answers about an object that was taken for one of this datatype. */
    static Problem of(Refusal refusal, String wanted) {
        Problem problem = of(refusal);
        Optional<String> other = refusal.reason() == Refusal.Reason.WRONG_TYPE
                ? Refusal.otherType(refusal.detail(), wanted)
                : Optional.empty();
        return other.map(words -> new Problem(problem.status, problem.name, problem.title, "the object is " + words))
                .orElse(problem);
    }

    private static int statusOf(Refusal.Reason reason) {
        return switch (reason) {
            case MALFORMED -> 400;
            case BAD_SIGNATURE, UNKNOWN_CLIENT, FALSE_COMPLAINTS, EXCLUDED -> 403;
            case NUMBER_REUSED, WRONG_TYPE -> 409;
            case MOVED_ON -> 410;
            case TOO_LARGE -> 413;
            case BAD_OPERATION -> 422;
            case TOO_OFTEN -> 429;
            case NO_SESSION, BEHIND, NO_CERTIFICATE, BUSY, AMNESIAC, DRAINING -> 503;
        };
    }

    private static String titleOf(Refusal.Reason reason) {
        return switch (reason) {
            case MALFORMED -> "The request cannot be understood";
            case BAD_SIGNATURE -> "A signature does not verify";
            case UNKNOWN_CLIENT -> "The client is not admitted";
            case NO_SESSION -> "There is no session";
            case NUMBER_REUSED -> "The request number is used already";
            case BEHIND -> "The server is behind";
            case WRONG_TYPE -> "The object has another datatype";
            case BAD_OPERATION -> "The operation does not fit its datatype";
            case TOO_LARGE -> "Something is larger than the limits allow";
            case NO_CERTIFICATE -> "There is no certificate yet";
            case BUSY -> "The server cannot take more for now";
            case TOO_OFTEN -> "The client asks more often than it may";
            case FALSE_COMPLAINTS -> "The client is refused for a time because of false complaints";
            case EXCLUDED -> "The client is refused for good";
            case MOVED_ON -> "The certificate is forgotten";
            case AMNESIAC -> "The server may have forgotten what it signed";
            case DRAINING -> "The server is about to end";
        };
    }

    ObjectNode document() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", TYPE_PREFIX + name)
                .put("title", title)
                .put("status", status)
                .put("detail", detail);
    }

    HttpResponse response() {
        HttpResponse response = HttpResponse.create()
                .withStatus(StatusCodes.get(status))
                .withEntity(HttpEntities.create(TYPE, document().toString().getBytes(StandardCharsets.UTF_8)));
        for (Map.Entry<String, String> header : headers.entrySet()) {
            response = response.addHeader(
                    header.getKey().equals("Connection")
                            ? Connection.create(header.getValue())
                            : RawHeader.create(header.getKey(), header.getValue()));
        }
        return status == 503 ? response.addHeader(RawHeader.create("Retry-After", "1")) : response;
    }
}
