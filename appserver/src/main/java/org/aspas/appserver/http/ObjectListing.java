package org.aspas.appserver.http;

import akka.http.javadsl.model.HttpResponse;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.core.port.ObjectPage;
import org.aspas.appserver.core.port.ObjectPicture;
import org.aspas.appserver.port.ObjectPort;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.type.DataTypes;

/** Lists the objects of a certificate page by page, and tells how many elements a set has, without reading it. Thread-safe. */
final class ObjectListing {
    /** A page ends after this many objects. */
    private static final int ENOUGH = 100;

    /** The most pages of the state tree that one request looks at. */
    private static final int MOST_LOOKS = 16;

    private final ObjectPort port;
    private final HttpLimits limits;

    ObjectListing(ObjectPort port, HttpLimits limits) {
        this.port = port;
        this.limits = limits;
    }

    /** The objects of a certificate whose keys begin with a prefix. */
    CompletionStage<HttpResponse> list(RoutedRequest request) {
        Hash from = PartQuery.path(request.value(QueryParameter.PAGE).orElse("first"));
        CertificateNumber number = PartQuery.certificate(request);
        boolean textual = request.integersAsText();
        String prefix = request.value(QueryParameter.PREFIX).orElse("");
        return look(number, from, prefix, new ArrayList<>(), 1)
                .toCompletableFuture()
                .orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(page -> JsonApi.json(200, document(page, textual)));
    }

    private CompletionStage<ObjectPage> look(
            CertificateNumber number, Hash from, String prefix, List<ObjectPage.Listed> found, int looks) {
        return port.page(number, from).thenCompose(answer -> {
            ObjectPage page = answer.orElseThrow(() -> new ProblemException(Problem.forgotten(number)));
            page.objects().stream().filter(one -> one.key().startsWith(prefix)).forEach(found::add);
            Hash next = page.next();
            return next == null || found.size() >= ENOUGH || looks >= MOST_LOOKS
                    ? CompletableFuture.completedFuture(new ObjectPage(page.certificate(), found, next))
                    : look(page.certificate(), next, prefix, found, looks + 1);
        });
    }

    private static ObjectNode document(ObjectPage page, boolean textual) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode objects = document.putArray("objects");
        for (ObjectPage.Listed one : page.objects()) {
            ObjectNode object = objects.addObject().put("key", one.key()).put("type", one.type());
            object.setAll(JsonForms.of(one.certified(), textual));
        }
        document.put("level", "certified").put("certificate", page.certificate().value());
        Hash next = page.next();
        if (next != null) {
            document.put("next", next.toString());
        }
        return document;
    }

    CompletionStage<HttpResponse> localSize(RoutedRequest request) {
        if (request.flag(QueryParameter.PROOF)) {
            throw new ProblemException(Problem.unproved());
        }
        AnswerFields fields = AnswerFields.of(request);
        CompletableFuture<Optional<List<ObjectPicture>>> shown = new CompletableFuture<>();
        port.pictures(List.of(request.key()), shown::complete).whenComplete((done, failure) -> {
            if (failure != null) {
                shown.completeExceptionally(failure);
            }
        });
        return shown.orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(pictures -> JsonApi.json(
                        200,
                        fields.only(size(pictures.orElseThrow(() -> new ProblemException(Problem.cannotVouch()))
                                .get(0)))));
    }

    private static ObjectNode size(ObjectPicture picture) {
        String type = DataTypes.AW_SET.name();
        if (picture.type() != null && !picture.type().equals(type)) {
            throw new ProblemException(Problem.wrongType(picture.type(), type));
        }
        Long elements = picture.local().elements();
        ObjectNode document = JsonNodeFactory.instance
                .objectNode()
                .put("key", picture.key())
                .put("type", type)
                .put("level", "local")
                .put("size", elements == null ? 0 : elements);
        document.set("version", JsonForms.of(picture.version()));
        return document.put("certificate", picture.certificate().value());
    }
}
