package org.aspas.appserver.http;

import akka.event.LoggingAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Akka HTTP says of single connections, at DEBUG whatever it thinks of it: anybody can bring it about, as often as they
 * like, and what matters of it is counted ({@link HttpCounters}). What our own handlers throw is {@code Router}'s to log.
 * Thread-safe.
 */
final class ConnectionLog implements LoggingAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);

    @Override
    public boolean isErrorEnabled() {
        return LOG.isDebugEnabled();
    }

    @Override
    public boolean isWarningEnabled() {
        return LOG.isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
        return LOG.isDebugEnabled();
    }

    @Override
    public boolean isDebugEnabled() {
        return LOG.isDebugEnabled();
    }

    @Override
    public void notifyError(String message) {
        LOG.debug("{}", message);
    }

    @Override
    public void notifyError(Throwable cause, String message) {
        LOG.debug("{}", message, cause);
    }

    @Override
    public void notifyWarning(String message) {
        LOG.debug("{}", message);
    }

    @Override
    public void notifyInfo(String message) {
        LOG.debug("{}", message);
    }

    @Override
    public void notifyDebug(String message) {
        LOG.debug("{}", message);
    }
}
