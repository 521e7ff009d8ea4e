import http.server,json,sys,urllib.parse,re
N=250
feats=[{"attributes":{"OBJECTID":i+1,"NAME":f"s{i%7}","V":i*0.5},"geometry":{"x":10+(i%25)*0.1,"y":50+(i//25)*0.1}} for i in range(N)]
MODE="normal"
class H(http.server.BaseHTTPRequestHandler):
    def log_message(self,*a): pass
    def do_POST(self):
        n=int(self.headers.get("Content-Length",0)); self.path=self.path+"?"+self.rfile.read(n).decode(); self.do_GET()
    def do_GET(self):
        u=urllib.parse.urlparse(self.path);q=dict(urllib.parse.parse_qsl(u.query))
        if u.path.endswith("/query"): r=self.query(q)
        elif re.search(r"FeatureServer/0/?$",u.path): r=self.layer()
        else: r={"layers":[{"id":0,"name":"Stops"}],"maxRecordCount":100,"currentVersion":10.9}
        b=json.dumps(r).encode(); self.send_response(200);self.send_header("Content-Type","application/json");self.send_header("Content-Length",str(len(b)));self.end_headers();self.wfile.write(b)
    def layer(self):
        pag = MODE!="nopaging"
        return {"currentVersion":10.9,"id":0,"name":"Stops","type":"Feature Layer","geometryType":"esriGeometryPoint","objectIdField":"OBJECTID","maxRecordCount":100 if MODE!="lies" else 2000,
         "supportsPagination":pag,"supportsStatistics":True,"supportsAdvancedQueries":True,"advancedQueryCapabilities":{"supportsPagination":pag,"supportsOrderBy":True,"supportsStatistics":True,"supportsDistinct":True},
         "extent":{"xmin":10,"ymin":50,"xmax":12.4,"ymax":50.9,"spatialReference":{"wkid":4326}},"capabilities":"Query","supportedQueryFormats":"JSON, geoJSON",
         "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID","alias":"OBJECTID"},{"name":"NAME","type":"esriFieldTypeString","alias":"NAME","length":50},{"name":"V","type":"esriFieldTypeDouble","alias":"V"}],
         "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":5,"color":[0,100,200,255]}}}}
    def query(self,q):
        sel=feats
        w=q.get("where","1=1")
        if "NAME = 's1'" in w: sel=[f for f in sel if f["attributes"]["NAME"]=="s1"]
        if q.get("objectIds"): ids=set(map(int,q["objectIds"].split(","))); sel=[f for f in sel if f["attributes"]["OBJECTID"] in ids]
        m=re.search(r"OBJECTID\s*(>=|>)\s*(\d+)",w)
        if m: sel=[f for f in sel if (f["attributes"]["OBJECTID"]>int(m[2]) if m[1]==">" else f["attributes"]["OBJECTID"]>=int(m[2]))]
        g=q.get("geometry")
        if g:
            try:
                e=json.loads(g); sel=[f for f in sel if e["xmin"]<=f["geometry"]["x"]<=e["xmax"] and e["ymin"]<=f["geometry"]["y"]<=e["ymax"]]
            except Exception: pass
        if q.get("returnCountOnly")=="true": return {"count":len(sel)}
        if q.get("returnIdsOnly")=="true": return {"objectIdFieldName":"OBJECTID","objectIds":[f["attributes"]["OBJECTID"] for f in sel]}
        if q.get("returnExtentOnly")=="true": return {"extent":{"xmin":10,"ymin":50,"xmax":12.4,"ymax":50.9,"spatialReference":{"wkid":4326}},"count":len(sel)}
        off=int(q.get("resultOffset",0)) if MODE!="ignoresoffset" else 0
        cnt=min(int(q.get("resultRecordCount",100)),100)
        page=sel[off:off+cnt]
        r={"objectIdFieldName":"OBJECTID","geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},"fields":self.layer()["fields"],"features":page}
        if off+cnt<len(sel) and MODE!="koop": r["exceededTransferLimit"]=True
        return r
server=http.server.ThreadingHTTPServer(("127.0.0.1",0),H)
print(server.server_port,flush=True)
# The test closes the standard input to end the server.
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.serve_forever()
