package org.aspas.appserver.http;

import akka.http.scaladsl.model.EntityStreamException;
import akka.http.scaladsl.model.EntityStreamSizeException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says of everything that can go wrong with a request which problem it is. What nobody expects is logged. */
final class FailureProblems {
    private static final Logger LOG = LoggerFactory.getLogger(FailureProblems.class);

    private FailureProblems() {}

    /**
     * The problem that a failure is.
     *
     * @param request what was asked, for the log
     * @param update whether it would have changed something
     */
    static Problem of(String request, boolean update, Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        if (cause instanceof ProblemException known) {
            return known.problem();
        }
        if (cause instanceof EntityStreamSizeException) {
            return Problem.tooLarge("The body is larger than the limit.");
        }
        if (cause instanceof EntityStreamException) {
            return Problem.badRequest("The body does not arrive whole.");
        }
        if (cause instanceof TimeoutException || cause instanceof CancellationException) {
            return Problem.timeout(update);
        }
        LOG.error("{} fails", request, cause);
        return Problem.internal();
    }
}
