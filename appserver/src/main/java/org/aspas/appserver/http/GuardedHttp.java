package org.aspas.appserver.http;

import akka.NotUsed;
import akka.actor.AbstractExtensionId;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.ExtensionId;
import akka.event.LoggingAdapter;
import akka.http.impl.engine.parsing.ParserOutput;
import akka.http.impl.engine.rendering.ResponseRenderingContext;
import akka.http.impl.engine.server.HttpAttributes$;
import akka.http.impl.engine.server.HttpServerBluePrint$;
import akka.http.impl.util.StreamUtils$;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.HttpProtocols;
import akka.http.javadsl.model.StatusCodes;
import akka.http.scaladsl.ConnectionContext;
import akka.http.scaladsl.Http$;
import akka.http.scaladsl.HttpExt;
import akka.http.scaladsl.model.ErrorInfo;
import akka.http.scaladsl.model.HttpRequest;
import akka.http.scaladsl.model.HttpResponse;
import akka.http.scaladsl.model.RequestEntity;
import akka.http.scaladsl.model.StatusCode;
import akka.http.scaladsl.settings.ServerSettings;
import akka.japi.function.Function;
import akka.stream.SystemMaterializer;
import akka.stream.TLSProtocol;
import akka.stream.javadsl.Flow;
import akka.stream.scaladsl.BidiFlow;
import akka.stream.scaladsl.Source;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import scala.Option;
import scala.jdk.javaapi.FutureConverters;

/**
 * Akka's HTTP server with one check more: what it reads as HTTP/1.0 is not chunked, for that version has no chunks (RFC 9112, section
 * 6.1). Akka HTTP 10.5.3 itself refuses such a request only behind its parser, by an exception that fails the connection's stream and
 * becomes an empty answer of status 500. What is refused here is answered as all else that Akka cannot read ({@link
 * ParsingProblems}).
 *
 * <p>Nothing public lies between the parser and that exception. So {@link #serverLayer} puts Akka's own stages together as Akka does, but
 * for the logging of raw bytes, and with the check among them. The version of Akka HTTP is fixed (ADR 2), and {@code HttpSweepTest} sees
 * whether the check is there. Thread-safe. There is one for each actor system, in which nobody else may use Akka's {@code Http}: both
 * would make an actor of one name.
 */
final class GuardedHttp extends HttpExt {
    private static final ExtensionId<GuardedHttp> ID = new AbstractExtensionId<>() {
        @Override
        public GuardedHttp createExtension(ExtendedActorSystem system) {
            return new GuardedHttp(system);
        }
    };

    private GuardedHttp(ExtendedActorSystem system) {
        super(system.settings().config().getConfig("akka.http"), system);
    }

    /** The one instance of an actor system. */
    static GuardedHttp get(ActorSystem system) {
        return ID.get(system);
    }

    /** Binds a port and answers what comes by the handler, one request of a connection after the other. */
    CompletionStage<ServerBinding> bind(
            InetSocketAddress address,
            akka.http.javadsl.ConnectionContext context,
            akka.http.javadsl.settings.ServerSettings settings,
            LoggingAdapter log,
            Function<akka.http.javadsl.model.HttpRequest, CompletionStage<akka.http.javadsl.model.HttpResponse>>
                    handler) {
        akka.stream.scaladsl.Flow<HttpRequest, HttpResponse, Object> answers = Flow.of(HttpRequest.class)
                .mapAsync(
                        settings.getPipeliningLimit(),
                        request -> handler.apply(request).thenApply(HttpResponse.class::cast))
                .mapMaterializedValue(unused -> (Object) unused)
                .asScala();
        return FutureConverters.asJava(bindAndHandleImpl(
                        answers,
                        address.getHostString(),
                        address.getPort(),
                        (ConnectionContext) context,
                        (ServerSettings) settings,
                        log,
                        SystemMaterializer.get(system()).materializer()))
                .thenApply(ServerBinding::new);
    }

    @Override
    public BidiFlow<HttpResponse, TLSProtocol.SslTlsOutbound, TLSProtocol.SslTlsInbound, HttpRequest, NotUsed>
            serverLayer(ServerSettings settings, Option<InetSocketAddress> remote, LoggingAdapter log, boolean secure) {
        HttpServerBluePrint$ stages = HttpServerBluePrint$.MODULE$;
        return stages.userHandlerGuard(settings.pipeliningLimit())
                .atop(stages.requestTimeoutSupport(settings.timeouts().requestTimeout(), log))
                .atop(stages.requestPreparation(settings))
                .atop(stages.controller(settings, log))
                .atop(check())
                .atop(stages.parsingRendering(settings, log, secure, dateHeaderRendering()))
                .atop(stages.websocketSupport(settings, log))
                .atop(stages.tlsSupport())
                .addAttributes(HttpAttributes$.MODULE$.remoteAddress(remote))
                .addAttributes(Http$.MODULE$.cancellationStrategyAttributeForDelay(settings.streamCancellationDelay()))
                .atop(lingering(settings));
    }

    /** A connection that is over is read for a while, so that its last answer is not lost by a reset. */
    private static BidiFlow<
                    TLSProtocol.SslTlsOutbound,
                    TLSProtocol.SslTlsOutbound,
                    TLSProtocol.SslTlsInbound,
                    TLSProtocol.SslTlsInbound,
                    NotUsed>
            lingering(ServerSettings settings) {
        akka.stream.scaladsl.Flow<TLSProtocol.SslTlsInbound, TLSProtocol.SslTlsInbound, NotUsed> inbound =
                StreamUtils$.MODULE$.delayCancellation(settings.timeouts().lingerTimeout());
        return akka.stream.javadsl.BidiFlow.fromFlows(Flow.of(TLSProtocol.SslTlsOutbound.class), inbound)
                .asScala();
    }

    private static BidiFlow<
                    ResponseRenderingContext,
                    ResponseRenderingContext,
                    ParserOutput.RequestOutput,
                    ParserOutput.RequestOutput,
                    NotUsed>
            check() {
        return akka.stream.javadsl.BidiFlow.fromFlows(
                        Flow.of(ResponseRenderingContext.class),
                        Flow.of(ParserOutput.RequestOutput.class).map(GuardedHttp::checked))
                .asScala();
    }

    private static ParserOutput.RequestOutput checked(ParserOutput.RequestOutput output) {
        boolean old = output instanceof ParserOutput.RequestStart start
                && start.protocol().equals(HttpProtocols.HTTP_1_0)
                && isChunked(start.createEntity());
        return old
                ? new ParserOutput.MessageStartError(
                        (StatusCode) StatusCodes.BAD_REQUEST, new ErrorInfo(ParsingProblems.OLD_AND_CHUNKED, ""))
                : output;
    }

    private static boolean isChunked(ParserOutput.EntityCreator<ParserOutput.RequestOutput, RequestEntity> entity) {
        return entity instanceof ParserOutput.StreamedEntityCreator<ParserOutput.RequestOutput, RequestEntity> streamed
                && streamed.apply(Source.empty()).isChunked();
    }
}
